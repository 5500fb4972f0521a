/** Adds and removes the member's reactions. They are shown at once and reverted if the server refuses them. */
import { addReaction, ApiError, removeReaction, type Connection } from '@engawa/client';
import { reactionSet } from './changes.ts';
import type { Store } from '../store.ts';
import { find } from './timeline.ts';
import type { Emoji } from './reactions.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

export interface Reactor {
  /** Returns the failure, if any. */
  toggle(messageId: number, emoji: Emoji): Promise<Failure | undefined>;
}

export interface ReactorOptions {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

/** The state of one emoji on one message. */
interface Wish {
  /** Whether the member wants it there. */
  wanted: boolean;
  /** Whether the server has it there. */
  told: boolean;
  readonly done: Promise<Failure | undefined>;
}

/** The server has the wanted state already, perhaps by a call whose answer was lost. */
const asWanted = new Set(['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST']);

export function createReactor({ connection, store, judge, stop }: ReactorOptions): Reactor {
  const wishes = new Map<string, Wish>();

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

  async function tell(messageId: number, { name, code, type }: Emoji, add: boolean): Promise<void> {
    const parameters = { message_id: messageId, emoji_name: name, emoji_code: code, reaction_type: type };
    try {
      await (add ? addReaction : removeReaction)(connection, parameters, { signal: stop });
    } catch (error) {
      if (!(error instanceof ApiError && asWanted.has(error.code))) throw error;
    }
  }

  /** Calls one after the other, until the server has the last wanted state. */
  async function tellAll(key: string, messageId: number, emoji: Emoji): Promise<Failure | undefined> {
    try {
      for (let wish = wishes.get(key); wish && wish.told !== wish.wanted; wish = wishes.get(key)) {
        const { wanted } = wish;
        await tell(messageId, emoji, wanted);
        wish.told = wanted;
      }
      return undefined;
    } catch (error) {
      if (stop.aborted) return undefined;
      const told = wishes.get(key)?.told ?? false;
      store.update((state) => reactionSet(state, messageId, emoji, told));
      return judge(error);
    } finally {
      wishes.delete(key);
    }
  }

  return {
    toggle(messageId, emoji) {
      const key = `${messageId} ${emoji.type} ${emoji.code}`;
      const before = isSet(messageId, emoji);
      store.update((state) => reactionSet(state, messageId, emoji, !before));
      const known = wishes.get(key);
      if (known) {
        known.wanted = !before;
        return known.done;
      }
      const { promise, resolve } = Promise.withResolvers<Failure | undefined>();
      wishes.set(key, { wanted: !before, told: before, done: promise });
      void tellAll(key, messageId, emoji).then(resolve);
      return promise;
    },
  };
}
