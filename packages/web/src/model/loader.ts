/** Fetches what the screens show: the pages of streams and the previews of their list. */
import { getMessages, type Connection } from '@engawa/client';
import type { ParametersIn, getMessages as getMessagesEndpoint } from '@engawa/protocol';
import { initialMessages } from './constants.ts';
import { passes } from './failure.ts';
import { pageArrived, pageAsked, pageFailed, previewArrived } from './reduce.ts';
import type { Retry } from './retry.ts';
import type { Store } from './store.ts';
import { unloaded, type Page } from './timeline.ts';
import type { Failure } from './view.ts';

const olderMessages = 50;
/** Most messages that are fetched again at once after events were missed. */
const mostRefetched = 1000;
const previewsAtOnce = 4;

export interface Loader {
  /** Fetches the newest messages of a stream, as many as are shown already. */
  newest(streamId: number): Promise<void>;
  older(streamId: number): void;
  /** Fetches the newest message of every stream that nobody has looked into. */
  previews(): void;
  /** Gives up what is on its way: it belongs to a state that is gone. */
  abandon(): void;
}

export interface LoaderOptions {
  readonly connection: Connection;
  readonly store: Store;
  readonly extensions: readonly string[];
  readonly retry: Retry;
  readonly stop: AbortSignal;
}

type Where = Pick<ParametersIn<typeof getMessagesEndpoint>, 'anchor' | 'num_before' | 'include_anchor'>;

export function createLoader({ connection, store, extensions, retry, stop }: LoaderOptions): Loader {
  let given = new AbortController();
  /** Streams whose newest messages are being fetched. */
  let fetching = new Set<number>();
  let previewing = false;

  const wanted = () => AbortSignal.any([stop, given.signal]);

  const timelineOf = (streamId: number) => store.state().timelines.get(streamId) ?? unloaded;

  function fetchPage(streamId: number, where: Where, signal: AbortSignal): Promise<Page> {
    const name = store.state().subscriptions?.get(streamId)?.name ?? '';
    const parameters = {
      ...where,
      num_after: 0,
      apply_markdown: false,
      client_gravatar: false,
      narrow: [{ operator: 'stream', operand: name }],
      ...(extensions.includes('include_deleted') ? { include_deleted: true } : {}),
    };
    return getMessages(connection, parameters, { signal });
  }

  async function load(streamId: number, which: 'newest' | 'older', where: Where, signal: AbortSignal): Promise<void> {
    const fetchAndShow = async () => {
      store.update((state) => pageAsked(state, streamId, which));
      const page = await fetchPage(streamId, where, signal);
      if (!signal.aborted) store.update((state) => pageArrived(state, streamId, page));
    };
    await retry.until(fetchAndShow, (failure) => failed(streamId, failure), signal);
  }

  /**
   * Says what went wrong and leaves the next try to the member, except where the screen still shows messages: those
   * that come meanwhile would stand behind a gap that nobody sees.
   */
  function failed(streamId: number, failure: Failure): boolean {
    store.update((state) => pageFailed(state, streamId, failure));
    return timelineOf(streamId).stale && passes(failure);
  }

  async function preview(streamId: number, signal: AbortSignal): Promise<void> {
    const page = await retry.until(
      () => fetchPage(streamId, { anchor: 'newest', num_before: 1 }, signal),
      (failure) => passes(failure) || failure.kind === 'busy',
      signal,
    );
    if (!signal.aborted) store.update((state) => previewArrived(state, streamId, page?.messages.at(-1) ?? null));
  }

  async function previewAll(streamIds: Iterator<number>, signal: AbortSignal): Promise<void> {
    const work = async () => {
      for (let next = streamIds.next(); !next.done; next = streamIds.next()) await preview(next.value, signal);
    };
    previewing = true;
    try {
      await Promise.all(Array.from({ length: previewsAtOnce }, work));
    } finally {
      previewing = false;
    }
  }

  return {
    async newest(streamId) {
      // Whoever asks again while it is waiting to try again does not want to wait.
      if (fetching.has(streamId)) return retry.wake();
      const round = fetching;
      round.add(streamId);
      const { messages = [] } = timelineOf(streamId);
      const num_before = Math.min(Math.max(initialMessages, messages.length), mostRefetched);
      await load(streamId, 'newest', { anchor: 'newest', num_before }, wanted());
      round.delete(streamId);
    },

    older(streamId) {
      const { messages, loading, stale, foundOldest } = timelineOf(streamId);
      const oldest = messages?.[0];
      if (!oldest || loading || stale || foundOldest) return;
      const where = { anchor: String(oldest.id), num_before: olderMessages, include_anchor: false };
      void load(streamId, 'older', where, wanted());
    },

    previews() {
      const { subscriptions = new Map<number, unknown>(), newest } = store.state();
      const missing = subscriptions.keys().filter((streamId) => !newest.has(streamId)).toArray();
      if (missing.length > 0 && !previewing) void previewAll(missing.values(), wanted());
    },

    abandon() {
      given.abort();
      given = new AbortController();
      fetching = new Set();
    },
  };
}
