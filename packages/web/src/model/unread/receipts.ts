/**
 * The readers of the member's own messages or, if the organisation wants it, of all. No event reports them: the counts of
 * messages on the screen are polled while the member looks, and names are requested on demand. See decision 18.
 */
import { countReadReceipts, getReadReceipts, isApiError, sleep, updateRealm, type Connection } from '@engawa/client';
import type { ReadReceiptsShown } from '@engawa/protocol';
import { readersCounted, readersForgotten, receiptsChosen } from './changes.ts';
import type { ModelContext } from '../context.ts';
import { createOptimistic } from '../optimistic.ts';
import type { Failure } from '../connection/failure.ts';
import { selectReceiptsShown, type UnreadState } from './state.ts';
import { selectSendsReceipts } from '../people/selectors.ts';

export interface Readers {
  readonly read: readonly number[];
  /** Undefined, like `withheld`, if the server has no such list. */
  readonly unread: readonly number[] | undefined;
  readonly withheld: readonly number[] | undefined;
}

/** Milliseconds between two requests for the same messages: longer if the server needs a call per message. */
const pace = { batched: 5000, single: 60_000 } as const;
/** Milliseconds between two calls while the member scrolls through new messages. */
const leastPause = 1000;
const most = { batched: 100, single: 5 } as const;

export interface Receipts {
  /** Sets the messages on the screen that show receipts, the oldest first; none while the member does not look. */
  watchReaders(messageIds: readonly number[]): void;
  readersOf(messageId: number): Promise<Readers | Failure>;
  /** Sets which messages of the organisation show receipts. The choice is shown at once, and reverted if it is refused. */
  showReceipts(shown: ReadReceiptsShown): Promise<Failure | undefined>;
}

export function createReceipts(context: ModelContext<UnreadState>): Receipts {
  const { connection, store, capabilities, clock, judge, attempt, stop } = context;
  const mode = capabilities.includes('read_receipts') ? 'batched' : 'single';
  let watched: readonly number[] = [];
  let running = false;
  /** Set if the server has no such call or shows no receipts. Then nothing is requested until the setting changes. */
  let refused = false;
  let waiting = new AbortController();

  store.watch(selectSendsReceipts, () => {
    if (sends() === false) store.update(readersForgotten);
  });
  for (const select of [selectSendsReceipts, selectReceiptsShown]) {
    store.watch(select, () => {
      refused = false;
      wake();
    });
  }

  const sends = () => selectSendsReceipts(store.state());
  /** Requests are useless if the organisation shows no receipts, or the member sends none. */
  const isShown = () => {
    const { receiptsShown } = store.state();
    return !refused && receiptsShown !== 'none' && !(mode === 'batched' && sends() === false);
  };
  const isWanted = () => watched.length > 0 && isShown() && !stop.aborted;

  function wake(): void {
    waiting.abort();
    waiting = new AbortController();
    if (isWanted() && !running) void pollCounts();
  }

  async function pollCounts(): Promise<void> {
    running = true;
    try {
      while (isWanted()) {
        const pause = await requestCounts(watched.slice(-most[mode]));
        await sleep(clock, leastPause, stop);
        if (isWanted() && !isNew(watched)) {
          await sleep(clock, pause - leastPause, AbortSignal.any([stop, waiting.signal]));
        }
      }
    } finally {
      running = false;
    }
  }

  const isNew = (ids: readonly number[]) => ids.slice(-most[mode]).some((id) => !store.state().readCounts.has(id));

  /** @returns milliseconds until the next useful request. */
  async function requestCounts(ids: readonly number[]): Promise<number> {
    try {
      const counts = await (mode === 'batched' ? countTogether(connection, ids, stop) : countEach(connection, ids, stop));
      // Unreadable counts are stored as 0, because missing ones would be requested again at once.
      const known = new Map([...ids.map((id) => [id, 0] as const), ...counts]);
      if (isShown()) store.update((state) => readersCounted(state, known));
    } catch (error) {
      if (stop.aborted) return 0;
      const failure = judge(error);
      refused = failure.kind === 'refused' || failure.kind === 'malformed';
      // A rate limit has to end first, even if new messages come onto the screen.
      if (failure.kind === 'busy') {
        await sleep(clock, failure.retryAfterSeconds * 1000, stop);
        return leastPause;
      }
      // Counts are stored after a failure as well, because messages without a count would be requested at once.
      const { readCounts } = store.state();
      const known = ids.map((id) => [id, readCounts.get(id) ?? 0] as const);
      store.update((state) => readersCounted(state, known));
    }
    return pace[mode];
  }

  return {
    watchReaders(messageIds) {
      watched = messageIds;
      if (!running || isNew(messageIds)) wake();
    },

    readersOf: (message_id) =>
      attempt(async () => {
        const answer = await getReadReceipts(connection, { message_id }, { signal: stop });
        const { user_ids: read, unread_user_ids: unread, withheld_user_ids: withheld } = answer;
        store.update((state) => readersCounted(state, [[message_id, read.length]]));
        return { read, unread, withheld };
      }),

    showReceipts: createOptimistic<UnreadState, ReadReceiptsShown>(context, {
      select: selectReceiptsShown,
      set: receiptsChosen,
      send: (read_receipts) =>
        updateRealm(connection, { enable_read_receipts: read_receipts !== 'none', read_receipts }, { signal: stop }),
    }),
  };
}

type Counts = (readonly [messageId: number, count: number])[];

async function countTogether(connection: Connection, ids: readonly number[], signal: AbortSignal): Promise<Counts> {
  const { read_counts } = await countReadReceipts(connection, { messages: [...ids] }, { signal });
  return read_counts.map(({ message_id, count }) => [message_id, count]);
}

async function countEach(connection: Connection, ids: readonly number[], signal: AbortSignal): Promise<Counts> {
  const counts: Counts = [];
  for (const message_id of ids) {
    const count = await countOf(connection, message_id, signal);
    if (count !== undefined) counts.push([message_id, count]);
  }
  return counts;
}

/** Undefined if the server refuses the message, for example because it was just deleted. The others are still requested. */
async function countOf(connection: Connection, message_id: number, signal: AbortSignal): Promise<number | undefined> {
  try {
    return (await getReadReceipts(connection, { message_id }, { signal })).user_ids.length;
  } catch (error) {
    if (isApiError(error) && error.status === 400) return undefined;
    throw error;
  }
}
