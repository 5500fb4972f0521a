/** Fetches what the screens show: the pages of streams and the previews of their list. */
import { getMessages, type Connection } from '@engawa/client';
import type { Message, ParametersIn, getMessages as getMessagesEndpoint } from '@engawa/protocol';
import { initialMessages } from './constants.ts';
import { passes } from './failure.ts';
import { pageArrived, pageAsked, pageFailed, previewArrived } from './reduce.ts';
import type { Retry } from './retry.ts';
import type { Store } from './store.ts';
import { needsLoading, unloaded, type Load, type Page } from './timeline.ts';
import type { Failure } from './view.ts';

/** Messages that one page brings before or after those that are there. */
const pageMessages = 50;
/** Messages on either side of one at which a stream is opened. */
const aroundMessages = 25;
/** Most messages that are fetched again at once after events were missed. */
const mostRefetched = 1000;
const previewsAtOnce = 4;

export interface Loader {
  /** Fetches what a stream lacks to be shown where the reader wants it: at its newest messages, or around another. */
  fill(streamId: number): Promise<void>;
  older(streamId: number): void;
  newer(streamId: number): void;
  /** Fetches again what failed. */
  reload(streamId: number): void;
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

type Where = Pick<ParametersIn<typeof getMessagesEndpoint>, 'anchor' | 'num_before' | 'num_after' | 'include_anchor'>;

export function createLoader({ connection, store, extensions, retry, stop }: LoaderOptions): Loader {
  let given = new AbortController();
  /** By stream: whoever wants something else gives up what is on its way. */
  let fetching = new Map<number, AbortController>();
  let previewing = false;

  const wanted = () => AbortSignal.any([stop, given.signal]);

  const timelineOf = (streamId: number) => store.state().timelines.get(streamId) ?? unloaded;

  function fetchPage(streamId: number, where: Where, signal: AbortSignal): Promise<Page> {
    const name = store.state().subscriptions?.get(streamId)?.name ?? '';
    const parameters = {
      ...where,
      apply_markdown: false,
      client_gravatar: false,
      narrow: [{ operator: 'stream', operand: name }],
      ...(extensions.includes('include_deleted') ? { include_deleted: true } : {}),
    };
    return getMessages(connection, parameters, { signal });
  }

  async function load(streamId: number, which: Load, where: Where): Promise<void> {
    const giveUp = new AbortController();
    const signal = AbortSignal.any([wanted(), giveUp.signal]);
    fetching.get(streamId)?.abort();
    fetching.set(streamId, giveUp);
    const fetchAndShow = async () => {
      store.update((state) => pageAsked(state, streamId, which));
      const page = await fetchPage(streamId, where, signal);
      if (!signal.aborted) store.update((state) => pageArrived(state, streamId, page));
    };
    await retry.until(fetchAndShow, (failure) => failed(streamId, failure), signal);
    if (fetching.get(streamId) === giveUp) fetching.delete(streamId);
  }

  /** As many of the newest as are shown already. */
  function newest(streamId: number): Promise<void> {
    const { messages = [], foundNewest } = timelineOf(streamId);
    const shown = foundNewest ? messages.length : 0;
    const num_before = Math.min(Math.max(initialMessages, shown), mostRefetched);
    return load(streamId, 'newest', { anchor: 'newest', num_before, num_after: 0 });
  }

  function around(streamId: number, messageId: number, onEitherSide: number): Promise<void> {
    const where = { anchor: String(messageId), num_before: onEitherSide, num_after: onEitherSide };
    return load(streamId, 'around', where);
  }

  function lacking(streamId: number): Promise<void> {
    const { destination, stale, foundNewest, messages = [] } = timelineOf(streamId);
    if (destination?.state === 'sought' && destination.to !== 'newest') return around(streamId, destination.to, aroundMessages);
    const middle = messages[Math.floor(messages.length / 2)];
    if (destination?.state === 'sought' || !stale || foundNewest || !middle) return newest(streamId);
    return around(streamId, middle.id, Math.floor(Math.min(messages.length, mostRefetched) / 2));
  }

  async function fill(streamId: number): Promise<void> {
    // Whoever asks again while it is waiting to try again does not want to wait.
    if (timelineOf(streamId).failure && fetching.has(streamId)) return retry.wake();
    await lacking(streamId);
    // Where the message is gone at which it was to be opened, there is nothing yet.
    if (needsLoading(timelineOf(streamId))) await fill(streamId);
  }

  function older(streamId: number): void {
    const { messages, loading, stale, foundOldest } = timelineOf(streamId);
    const oldest = messages?.[0];
    if (!oldest || loading || stale || foundOldest) return;
    void load(streamId, 'older', beside(oldest, { num_before: pageMessages, num_after: 0 }));
  }

  function newer(streamId: number): void {
    const { messages, loading, stale, foundNewest } = timelineOf(streamId);
    const newestLoaded = messages?.at(-1);
    if (!newestLoaded || loading || stale || foundNewest) return;
    void load(streamId, 'newer', beside(newestLoaded, { num_before: 0, num_after: pageMessages }));
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
      () => fetchPage(streamId, { anchor: 'newest', num_before: 1, num_after: 0 }, signal),
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
    fill,

    older,
    newer,

    reload(streamId) {
      const { failed: which } = timelineOf(streamId);
      if (which === 'older') older(streamId);
      else if (which === 'newer') newer(streamId);
      else void fill(streamId);
    },

    previews() {
      const { subscriptions = new Map<number, unknown>(), newest } = store.state();
      const missing = subscriptions.keys().filter((streamId) => !newest.has(streamId)).toArray();
      if (missing.length > 0 && !previewing) void previewAll(missing.values(), wanted());
    },

    abandon() {
      given.abort();
      given = new AbortController();
      fetching = new Map();
    },
  };
}

function beside({ id }: Message, page: Pick<Where, 'num_before' | 'num_after'>): Where {
  return { anchor: String(id), ...page, include_anchor: false };
}
