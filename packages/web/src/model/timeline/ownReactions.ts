import { addReaction, ApiError, removeReaction } from '@engawa/client';
import type { addReaction as addReactionEndpoint, ParametersIn } from '@engawa/protocol';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { reactionSet } from './eventChanges.ts';
import type { Emoji } from './reactions.ts';
import { locate, type TimelinesState } from './state.ts';

interface PendingReaction {
  wanted: boolean;
  sent: boolean;
  readonly done: Promise<Failure | undefined>;
}

/** Errors that mean success: the server has the wanted state already, perhaps by a call whose answer was lost. */
const asWanted = new Set(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST']);

/** Toggles the member's reactions. They are shown at once and reverted if the server refuses them. */
export function createReactions({ connection, store, judge, stop }: ModelContext<TimelinesState>) {
  const pending = new Map<string, PendingReaction>();

  function isSet(messageId: number, emoji: Emoji): boolean {
    const { reactions = [] } = locate(store.state(), messageId) ?? {};
    const { memberId } = store.state();
    return reactions.some(
      (each) => each.user_id === memberId && each.emoji_code === emoji.code && each.reaction_type === emoji.type,
    );
  }

  async function send(messageId: number, { name, code, type }: Emoji, add: boolean): Promise<void> {
    const parameters = { message_id: messageId, emoji_name: name, emoji_code: code, reaction_type: type };
    try {
      await (add ? addReaction : removeReaction)(connection, parameters, { signal: stop });
    } catch (error) {
      if (error instanceof ApiError && asWanted.has(error.code)) return;
      if (!(add && (await addUnderOtherName(error, parameters)))) throw error;
    }
  }

  /** Repeats a refused reaction with the server's name of the emoji. Returns false if that would be the same call. */
  async function addUnderOtherName(error: unknown, parameters: ParametersIn<typeof addReactionEndpoint>): Promise<boolean> {
    const { reaction_type, emoji_code: code = '', emoji_name } = parameters;
    if (!(error instanceof ApiError && error.code === 'BAD_REQUEST' && reaction_type === 'unicode_emoji')) return false;
    const { nameOnServer } = await import('./emojiName.ts');
    const name = await nameOnServer(connection, code, stop);
    if (name === undefined || name === emoji_name) return false;
    await addReaction(connection, { ...parameters, emoji_name: name }, { signal: stop });
    return true;
  }

  /** Sends one call after the other, until the server has the state that was chosen last. */
  async function sendAll(key: string, messageId: number, emoji: Emoji): Promise<Failure | undefined> {
    try {
      for (let reaction = pending.get(key); reaction && reaction.sent !== reaction.wanted; reaction = pending.get(key)) {
        const { wanted } = reaction;
        await send(messageId, emoji, wanted);
        reaction.sent = wanted;
      }
      return undefined;
    } catch (error) {
      if (stop.aborted) return undefined;
      const sent = pending.get(key)?.sent ?? false;
      store.update((state) => reactionSet(state, messageId, emoji, sent));
      return judge(error);
    } finally {
      pending.delete(key);
    }
  }

  return {
    toggleReaction(messageId: number, emoji: Emoji): Promise<Failure | undefined> {
      const key = `${messageId} ${emoji.type} ${emoji.code}`;
      const before = isSet(messageId, emoji);
      store.update((state) => reactionSet(state, messageId, emoji, !before));
      const known = pending.get(key);
      if (known) {
        known.wanted = !before;
        return known.done;
      }
      const { promise, resolve } = Promise.withResolvers<Failure | undefined>();
      pending.set(key, { wanted: !before, sent: before, done: promise });
      void sendAll(key, messageId, emoji).then(resolve);
      return promise;
    },
  };
}
