/**
 * Who has read what was written: of the member's own, or as the organisation has it. No event tells of it, so it is asked:
 * how many have read the messages that are on the screen, again and again while somebody looks; and who, when they ask.
 * See decision 18.
 */
import { countReadReceipts, getReadReceipts, isApiError, sleep, updateRealm, type Clock, type Connection } from '@engawa/client';
import type { ReadReceiptsShown } from '@engawa/protocol';
import { readersCounted, readersForgotten, receiptsChosen } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import { selectReceiptsShown, type UnreadState } from './state.ts';
import { selectSendsReceipts } from '../people/selectors.ts';

/** User ids by how they stand to a message. */
export interface Readers {
  readonly read: readonly number[];
  /** Undefined, like those who withhold it, where the server does not tell them apart. */
  readonly unread: readonly number[] | undefined;
  /** They do not say what they read. */
  readonly withheld: readonly number[] | undefined;
}

/** Milliseconds after which the same is asked again; longer where each message is a call of its own. */
const pace = { batched: 5000, single: 60_000 } as const;
/** Milliseconds between two calls, for who scrolls through messages that were never asked about. */
const leastPause = 1000;
/** Most messages that are asked about at once. */
const most = { batched: 100, single: 5 } as const;

export interface Receipts {
  /** These messages, whose readers are shown, are on the screen, oldest first; none when nobody looks. */
  watch(messageIds: readonly number[]): void;
  readersOf(messageId: number): Promise<Readers | Failure>;
  /** Says for the organisation of which messages receipts are shown. Answers why it could not be said. */
  show(shown: ReadReceiptsShown): Promise<Failure | undefined>;
}

export interface ReceiptsOptions {
  readonly connection: Connection;
  readonly store: Store<UnreadState>;
  readonly extensions: readonly string[];
  /** Whether others see what the member has read; undefined where nobody says. */
  readonly sends: () => boolean | undefined;
  readonly clock: Clock;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

/** Whether the member sees who has read a message. */
export function showsReaders(
  { align, deleted }: { readonly align: 'left' | 'right'; readonly deleted: boolean },
  shown: ReadReceiptsShown,
): boolean {
  return !deleted && (shown === 'all' || (shown === 'own' && align === 'right'));
}

export function createReceipts({ connection, store, extensions, sends, clock, judge, stop }: ReceiptsOptions): Receipts {
  const way = extensions.includes('read_receipts') ? 'batched' : 'single';
  let watched: readonly number[] = [];
  let running = false;
  /** The server has no such call, or shows none: it is not asked again until somebody chooses anew. */
  let refused = false;
  let waiting = new AbortController();

  /** What was said of the organisation last. The next waits for it, or it might arrive first. */
  let choosing: Promise<Failure | undefined> | undefined;
  /** As the organisation had it before what is on its way. */
  let kept: ReadReceiptsShown = 'own';

  store.watch(selectSendsReceipts, () => {
    // Who sends none is shown none.
    if (sends() === false) store.update(readersForgotten);
  });
  for (const select of [selectSendsReceipts, selectReceiptsShown]) {
    store.watch(select, () => {
      refused = false;
      wake();
    });
  }

  /** Where the organisation shows none, or the member sends none and so is shown none, there is no use in asking. */
  const isShown = () => {
    const { receiptsShown } = store.state();
    return !refused && receiptsShown !== 'none' && !(way === 'batched' && sends() === false);
  };
  const isWanted = () => watched.length > 0 && isShown() && !stop.aborted;

  function wake(): void {
    waiting.abort();
    waiting = new AbortController();
    if (isWanted() && !running) void keepAsking();
  }

  async function keepAsking(): Promise<void> {
    running = true;
    try {
      while (isWanted()) {
        const pause = await ask(watched.slice(-most[way]));
        await sleep(clock, leastPause, stop);
        if (isWanted() && !isNew(watched)) {
          await sleep(clock, pause - leastPause, AbortSignal.any([stop, waiting.signal]));
        }
      }
    } finally {
      running = false;
    }
  }

  const isNew = (ids: readonly number[]) => ids.slice(-most[way]).some((id) => !store.state().readCounts.has(id));

  /** @returns milliseconds after which it is worth asking again. */
  async function ask(ids: readonly number[]): Promise<number> {
    try {
      const counts = await (way === 'batched' ? countTogether(ids) : countEach(ids));
      // What nobody may know of is not asked for again at once.
      const known = new Map([...ids.map((id) => [id, 0] as const), ...counts]);
      if (isShown()) store.update((state) => readersCounted(state, known));
    } catch (error) {
      if (stop.aborted) return 0;
      const failure = judge(error);
      refused = failure.kind === 'refused' || failure.kind === 'malformed';
      // A rate limit is waited for whatever comes onto the screen.
      if (failure.kind === 'busy') {
        await sleep(clock, failure.retryAfterSeconds * 1000, stop);
        return leastPause;
      }
      // What is new still is: it waits as what is known does.
      store.update((state) =>
        readersCounted(
          state,
          ids.map((id) => [id, state.readCounts.get(id) ?? 0] as const),
        ),
      );
    }
    return pace[way];
  }

  async function countTogether(ids: readonly number[]): Promise<(readonly [number, number])[]> {
    const { read_counts } = await countReadReceipts(connection, { messages: [...ids] }, { signal: stop });
    return read_counts.map(({ message_id, count }) => [message_id, count]);
  }

  async function countEach(ids: readonly number[]): Promise<(readonly [number, number])[]> {
    const counts: (readonly [number, number])[] = [];
    for (const message_id of ids) {
      const count = await countOf(message_id);
      if (count !== undefined) counts.push([message_id, count]);
    }
    return counts;
  }

  /** Undefined where the message is refused, as one that has just been deleted is: that says nothing of the others. */
  async function countOf(message_id: number): Promise<number | undefined> {
    try {
      return (await getReadReceipts(connection, { message_id }, { signal: stop })).user_ids.length;
    } catch (error) {
      if (isApiError(error) && error.status === 400) return undefined;
      throw error;
    }
  }

  async function tellShown(shown: ReadReceiptsShown): Promise<Failure | undefined> {
    try {
      const asked = { enable_read_receipts: shown !== 'none', read_receipts: shown };
      await updateRealm(connection, asked, { signal: stop });
      kept = shown;
      return undefined;
    } catch (error) {
      if (stop.aborted) return undefined;
      // Unless another choice has taken its place.
      store.update((state) => (state.receiptsShown === shown ? receiptsChosen(state, kept) : state));
      return judge(error);
    }
  }

  return {
    watch(messageIds) {
      watched = messageIds;
      if (!running || isNew(messageIds)) wake();
    },

    async readersOf(message_id) {
      try {
        const answer = await getReadReceipts(connection, { message_id }, { signal: stop });
        const { user_ids: read, unread_user_ids: unread, withheld_user_ids: withheld } = answer;
        store.update((state) => readersCounted(state, [[message_id, read.length]]));
        return { read, unread, withheld };
      } catch (error) {
        if (stop.aborted) return { kind: 'signed-out' };
        return judge(error);
      }
    },

    async show(shown) {
      if (!choosing) kept = store.state().receiptsShown;
      store.update((state) => receiptsChosen(state, shown));
      const earlier = choosing;
      const told = (async () => {
        await earlier;
        return tellShown(shown);
      })();
      choosing = told;
      const failure = await told;
      if (choosing === told) choosing = undefined;
      return failure;
    },
  };
}
