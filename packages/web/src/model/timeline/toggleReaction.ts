/** Adds and removes the member's reactions. They are shown at once and reverted if the server refuses them. */
import { addReaction, ApiError, removeReaction, type Connection } from '@engawa/client';
import { reactionSet } from './changes.ts';
import type { Store } from '../store.ts';
import { find } from './timeline.ts';
import type { Emoji } from './reactions.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

export interface Reactions {
  /** Returns the failure, if any. */
  toggle(messageId: number, emoji: Emoji): Promise<Failure | undefined>;
}

export interface ReactionsDependencies {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

/** The state of one emoji on one message. */
interface PendingReaction {
  /** Whether the member wants it there. */
  wanted: boolean;
  /** Whether the server has it there. */
  sent: boolean;
  readonly done: Promise<Failure | undefined>;
}

/** The server has the wanted state already, perhaps by a call whose answer was lost. */
const asWanted = new Set(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST']);

export function createReactions({ connection, store, judge, stop }: ReactionsDependencies): Reactions {
  const pending = new Map<string, PendingReaction>();

  function isSet(messageId: number, emoji: Emoji): boolean {
    const { timelines, memberId } = store.state();
    const message = timelines
      .values()
      .map(({ messages = [] }) => find(messages, messageId))
      .find((each) => each);
    const isIt = (each: { emoji_code: string; reaction_type: string }) =>
      each.emoji_code === emoji.code && each.reaction_type === emoji.type;
    return message?.reactions.some((each) => each.user_id === memberId && isIt(each)) ?? false;
  }

  async function send(messageId: number, { name, code, type }: Emoji, add: boolean): Promise<void> {
    const parameters = { message_id: messageId, emoji_name: name, emoji_code: code, reaction_type: type };
    try {
      await (add ? addReaction : removeReaction)(connection, parameters, { signal: stop });
    } catch (error) {
      if (!(error instanceof ApiError && asWanted.has(error.code))) throw error;
    }
  }

  /** Calls one after the other, until the server has the last wanted state. */
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
    toggle(messageId, emoji) {
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
