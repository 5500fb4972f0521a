/** Loads pages of conversations and the previews of their lists. */
import { getMessages, type Connection } from '@engawa/client';
import type { Message, ParametersIn, getMessages as getMessagesEndpoint } from '@engawa/protocol';
import { initialMessages } from '../constants.ts';
import { narrowTo, type ConversationKey, type DirectKey } from '../streams/conversation.ts';
import { goesOn, type Failure } from '../connection/failure.ts';
import { pageRequested, pageFailed, previewArrived } from './changes.ts';
import type { Retry } from '../connection/retry.ts';
import type { Store } from '../store.ts';
import { needsLoading, unloaded, type Load, type Page } from './timeline.ts';
import type { TimelinesState } from './state.ts';

/** Messages per older or newer page. */
const pageMessages = 50;
/** Messages on either side of one at which a conversation is opened. */
const aroundMessages = 25;
/** Most messages that are fetched again at once after missed events. */
const mostRefetched = 1000;
const previewsAtOnce = 4;
/** Direct conversations whose newest message is loaded without being opened; there may be a thousand. */
const mostDirectPreviews = 30;

export interface Loader {
  /** Loads what a conversation needs at its destination: its newest messages, or those around another one. */
  fill(conversation: ConversationKey): Promise<void>;
  older(conversation: ConversationKey): void;
  newer(conversation: ConversationKey): void;
  /** Repeats a failed load. */
  reload(conversation: ConversationKey): void;
  /** Loads the newest message of every stream and of the newest direct conversations, if it is unknown. */
  previews(): void;
  /** Aborts all loads, because their state was replaced. */
  abandon(): void;
}

export interface LoaderOptions {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly extensions: readonly string[];
  readonly retry: Retry;
  /** Applies a page that has arrived. */
  readonly show: (conversation: ConversationKey, page: Page) => void;
  /** Direct conversations in the order of their list. */
  readonly directs: (state: TimelinesState) => readonly DirectKey[];
  readonly stop: AbortSignal;
}

type Where = Pick<ParametersIn<typeof getMessagesEndpoint>, 'anchor' | 'num_before' | 'num_after' | 'include_anchor'>;

export function createLoader({ connection, store, extensions, retry, show, directs, stop }: LoaderOptions): Loader {
  let given = new AbortController();
  /** By conversation: a different load aborts the previous one. */
  let fetching = new Map<ConversationKey, AbortController>();

  const wanted = () => AbortSignal.any([stop, given.signal]);

  const fetchPage = (conversation: ConversationKey, where: Where, signal: AbortSignal) =>
    getMessages(connection, pageParameters(store.state(), extensions, conversation, where), { signal });
  const previews = createPreviews({ store, retry, directs, fetchPage });

  const timelineOf = (conversation: ConversationKey) => store.state().timelines.get(conversation) ?? unloaded;

  async function load(conversation: ConversationKey, which: Load, where: Where): Promise<void> {
    const giveUp = new AbortController();
    const signal = AbortSignal.any([wanted(), giveUp.signal]);
    fetching.get(conversation)?.abort();
    fetching.set(conversation, giveUp);
    const fetchAndShow = async () => {
      store.update((state) => pageRequested(state, conversation, which));
      const page = await fetchPage(conversation, where, signal);
      if (!signal.aborted) show(conversation, page);
    };
    await retry.until(fetchAndShow, (failure) => failed(conversation, failure), signal);
    if (fetching.get(conversation) === giveUp) fetching.delete(conversation);
  }

  /** As many of the newest messages as are shown already. */
  function newest(conversation: ConversationKey): Promise<void> {
    const { messages = [], foundNewest } = timelineOf(conversation);
    const shown = foundNewest ? messages.length : 0;
    const num_before = Math.min(Math.max(initialMessages, shown), mostRefetched);
    return load(conversation, 'newest', { anchor: 'newest', num_before, num_after: 0 });
  }

  function around(conversation: ConversationKey, messageId: number, onEitherSide: number): Promise<void> {
    const where = { anchor: String(messageId), num_before: onEitherSide, num_after: onEitherSide };
    return load(conversation, 'around', where);
  }

  function lacking(conversation: ConversationKey): Promise<void> {
    const { destination, stale, foundNewest, messages = [] } = timelineOf(conversation);
    if (destination?.state === 'sought' && destination.to !== 'newest')
      return around(conversation, destination.to, aroundMessages);
    const middle = messages[Math.floor(messages.length / 2)];
    if (destination?.state === 'sought' || !stale || foundNewest || !middle) return newest(conversation);
    return around(conversation, middle.id, Math.floor(Math.min(messages.length, mostRefetched) / 2));
  }

  async function fill(conversation: ConversationKey): Promise<void> {
    // A repeated request ends the delay before the next retry.
    if (timelineOf(conversation).failure && fetching.has(conversation)) return retry.wake();
    await lacking(conversation);
    // If the message to open at is gone, nothing is loaded yet.
    if (needsLoading(timelineOf(conversation))) await fill(conversation);
  }

  function older(conversation: ConversationKey): void {
    const { messages, loading, stale, foundOldest } = timelineOf(conversation);
    const oldest = messages?.[0];
    if (!oldest || loading || stale || foundOldest) return;
    void load(conversation, 'older', beside(oldest, { num_before: pageMessages, num_after: 0 }));
  }

  function newer(conversation: ConversationKey): void {
    const { messages, loading, stale, foundNewest } = timelineOf(conversation);
    const newestLoaded = messages?.at(-1);
    if (!newestLoaded || loading || stale || foundNewest) return;
    void load(conversation, 'newer', beside(newestLoaded, { num_before: 0, num_after: pageMessages }));
  }

  /**
   * Reports the failure and leaves the retry to the member, unless messages are shown: new messages would then follow an
   * invisible gap.
   */
  function failed(conversation: ConversationKey, failure: Failure): boolean {
    store.update((state) => pageFailed(state, conversation, failure));
    return timelineOf(conversation).stale && goesOn(failure);
  }

  return {
    fill,

    older,
    newer,

    reload(conversation) {
      const { failed: which } = timelineOf(conversation);
      if (which === 'older') older(conversation);
      else if (which === 'newer') newer(conversation);
      else void fill(conversation);
    },

    previews: () => previews(wanted()),

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

function pageParameters(state: TimelinesState, extensions: readonly string[], conversation: ConversationKey, where: Where) {
  return {
    ...where,
    apply_markdown: false,
    client_gravatar: false,
    narrow: [narrowTo(state, conversation)],
    ...(extensions.includes('include_deleted') ? { include_deleted: true } : {}),
  };
}

interface PreviewsDependencies extends Pick<LoaderOptions, 'store' | 'retry' | 'directs'> {
  readonly fetchPage: (conversation: ConversationKey, where: Where, signal: AbortSignal) => Promise<Page>;
}

/** Loads the newest message of conversations that have no preview yet, a few at once. */
function createPreviews({ store, retry, directs, fetchPage }: PreviewsDependencies) {
  let previewing = false;

  async function preview(conversation: ConversationKey, signal: AbortSignal): Promise<void> {
    const page = await retry.until(
      () => fetchPage(conversation, { anchor: 'newest', num_before: 1, num_after: 0 }, signal),
      goesOn,
      signal,
    );
    if (!signal.aborted) store.update((state) => previewArrived(state, conversation, page?.messages.at(-1) ?? null));
  }

  async function previewAll(conversations: Iterator<ConversationKey>, signal: AbortSignal): Promise<void> {
    const work = async () => {
      for (let next = conversations.next(); !next.done; next = conversations.next()) await preview(next.value, signal);
    };
    previewing = true;
    try {
      await Promise.all(Array.from({ length: previewsAtOnce }, work));
    } finally {
      previewing = false;
    }
  }

  return (signal: AbortSignal): void => {
    const { subscriptions = new Map<number, unknown>(), newest } = store.state();
    const shown = [...subscriptions.keys(), ...directs(store.state()).slice(0, mostDirectPreviews)];
    const missing = shown.filter((conversation) => !newest.has(conversation));
    if (missing.length > 0 && !previewing) void previewAll(missing.values(), signal);
  };
}
