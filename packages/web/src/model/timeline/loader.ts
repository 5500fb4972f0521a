import type { Capability } from '@engawa/protocol/product';
import { getMessages } from '@engawa/client';
import type { ParametersIn, getMessages as getMessagesEndpoint } from '@engawa/protocol';
import { initialMessages } from '../constants.ts';
import { narrowTo, type ConversationKey, type DirectKey } from '../streams/conversation.ts';
import { isRetried, type Failure } from '../connection/failure.ts';
import { pageRequested, pageFailed, previewArrived } from './changes.ts';
import type { ModelContext } from '../context.ts';
import { needsLoading, unloaded, type Load, type Page, type TimelineState } from './timeline.ts';
import type { TimelinesState } from './state.ts';

const pageMessages = 50;
const aroundMessages = 25;
/** Largest number of messages that are loaded again in one call after missed events. */
const mostRefetched = 1000;
const previewsAtOnce = 4;
/** Number of direct conversations whose newest message is loaded before they are opened. A member may have a thousand. */
const mostDirectPreviews = 30;

export type Loader = ReturnType<typeof createLoader>;

export interface LoaderDependencies extends ModelContext<TimelinesState> {
  readonly show: (conversation: ConversationKey, page: Page) => void;
  readonly directs: (state: TimelinesState) => readonly DirectKey[];
}

type Where = Pick<ParametersIn<typeof getMessagesEndpoint>, 'anchor' | 'num_before' | 'num_after' | 'include_anchor'>;

export function createLoader({ connection, store, capabilities, retry, show, directs, stop }: LoaderDependencies) {
  let allLoads = new AbortController();
  /** The current load of each conversation. Another load of the same conversation aborts it. */
  let fetching = new Map<ConversationKey, AbortController>();

  const untilAbandoned = () => AbortSignal.any([stop, allLoads.signal]);

  const fetchPage = (conversation: ConversationKey, where: Where, signal: AbortSignal) =>
    getMessages(connection, pageParameters(store.state(), capabilities, conversation, where), { signal });
  const previews = createPreviews({ store, retry, directs, fetchPage });

  const timelineOf = (conversation: ConversationKey) => store.state().timelines.get(conversation) ?? unloaded;

  async function load(conversation: ConversationKey, { which, where }: PageRequest): Promise<void> {
    const giveUp = new AbortController();
    const signal = AbortSignal.any([untilAbandoned(), giveUp.signal]);
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

  /** Loads the messages at the destination of a conversation: its newest ones, or those around another message. */
  async function fill(conversation: ConversationKey): Promise<void> {
    // The member asks again while a retry waits, so the retry begins now.
    if (timelineOf(conversation).failure && fetching.has(conversation)) return retry.wake();
    await load(conversation, lackingPage(timelineOf(conversation)));
    // If the requested message is gone, the newest messages are loaded instead.
    if (needsLoading(timelineOf(conversation))) await fill(conversation);
  }

  function loadMore(conversation: ConversationKey, which: 'older' | 'newer'): void {
    const request = nextPage(timelineOf(conversation), which);
    if (request) void load(conversation, request);
  }

  /** Whether to retry. The member retries, unless the shown messages are out of date: new ones would follow a hidden gap. */
  function failed(conversation: ConversationKey, failure: Failure): boolean {
    store.update((state) => pageFailed(state, conversation, failure));
    return timelineOf(conversation).stale && isRetried(failure);
  }

  return {
    fill,

    older: (conversation: ConversationKey) => loadMore(conversation, 'older'),
    newer: (conversation: ConversationKey) => loadMore(conversation, 'newer'),

    reload(conversation: ConversationKey): void {
      const { failed: which } = timelineOf(conversation);
      if (which === 'older' || which === 'newer') loadMore(conversation, which);
      else void fill(conversation);
    },

    previews: () => previews(untilAbandoned()),

    /** Aborts all loads, because the state that they belong to was replaced. */
    abandon(): void {
      allLoads.abort();
      allLoads = new AbortController();
      fetching = new Map();
    },
  };
}

interface PageRequest {
  readonly which: Load;
  readonly where: Where;
}

/** The messages to load at the destination. After missed events these are as many as are shown already. */
function lackingPage({ destination, stale, foundNewest, messages = [] }: TimelineState): PageRequest {
  const isSought = destination?.state === 'sought';
  if (isSought && destination.to !== 'newest') return pageAround(destination.to, aroundMessages);
  const middle = messages[Math.floor(messages.length / 2)];
  if (!isSought && stale && !foundNewest && middle) {
    return pageAround(middle.id, Math.floor(Math.min(messages.length, mostRefetched) / 2));
  }
  const num_before = Math.min(Math.max(initialMessages, foundNewest ? messages.length : 0), mostRefetched);
  return { which: 'newest', where: { anchor: 'newest', num_before, num_after: 0 } };
}

function pageAround(messageId: number, onEitherSide: number): PageRequest {
  return { which: 'around', where: { anchor: String(messageId), num_before: onEitherSide, num_after: onEitherSide } };
}

/** The next page; undefined if there is none, or while a load is under way. */
function nextPage(timeline: TimelineState, which: 'older' | 'newer'): PageRequest | undefined {
  const { messages, loading, stale, foundOldest, foundNewest } = timeline;
  const [edge, isFound] = which === 'older' ? [messages?.[0], foundOldest] : [messages?.at(-1), foundNewest];
  if (!edge || loading || stale || isFound) return undefined;
  const [num_before, num_after] = which === 'older' ? [pageMessages, 0] : [0, pageMessages];
  return { which, where: { anchor: String(edge.id), num_before, num_after, include_anchor: false } };
}

function pageParameters(state: TimelinesState, capabilities: readonly Capability[], conversation: ConversationKey, where: Where) {
  return {
    ...where,
    apply_markdown: false,
    client_gravatar: false,
    narrow: [narrowTo(state, conversation)],
    ...(capabilities.includes('include_deleted') ? { include_deleted: true } : {}),
  };
}

interface PreviewsDependencies extends Pick<LoaderDependencies, 'store' | 'retry' | 'directs'> {
  readonly fetchPage: (conversation: ConversationKey, where: Where, signal: AbortSignal) => Promise<Page>;
}

function createPreviews({ store, retry, directs, fetchPage }: PreviewsDependencies) {
  let previewing = false;

  async function preview(conversation: ConversationKey, signal: AbortSignal): Promise<void> {
    const page = await retry.until(
      () => fetchPage(conversation, { anchor: 'newest', num_before: 1, num_after: 0 }, signal),
      isRetried,
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
