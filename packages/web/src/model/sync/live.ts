/** The product's own channel of events. The polling tab reads it if the event queue of the chat server does not carry them. */
import { deleteQueue } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { liveAnswer, liveLimits, livePath } from '@engawa/protocol/live';
import type { z } from 'zod/mini';
import { isRetried } from '../connection/failure.ts';
import { askProduct } from '../connection/productCall.ts';
import type { ModelContext } from '../context.ts';
import type { State } from '../state.ts';
import type { News } from './news.ts';

type Answer = z.output<typeof liveAnswer>;
type LiveNews = Extract<News, { kind: 'live' }>;

const timeoutMilliseconds = (liveLimits.poll + 15) * 1000;

export interface LiveChannel {
  poll(signal: AbortSignal): LivePoll;
  /** The event queue of the chat server does not answer, so the client may be about to register again. */
  queueFailed(): void;
  queueWorks(): void;
  /** The state is that of a new registration. */
  snapshotAdopted(): void;
  /** In other tabs: what the polling tab has received. */
  follow(after: string, events: readonly ServerEvent[]): void;
  /** For a tab that asks for the state. */
  news(): readonly LiveNews[];
  wake(): void;
}

interface LivePoll {
  /** Resolves when events from now on arrive, or when the first request has failed. */
  readonly opened: Promise<void>;
  /** Resolves when the signal is aborted or the server refuses the channel. */
  readonly ended: Promise<void>;
}

interface LiveListeners {
  readonly onEvents: (events: readonly ServerEvent[]) => void;
  readonly post: (news: News) => void;
}

export function createLiveChannel(context: ModelContext<State>, { onEvents, post }: LiveListeners): LiveChannel {
  const { connection, environment, retry, store } = context;
  /** The position up to which this browser has received the events. */
  let after: string | undefined;
  /** The events since a registration may have begun, whose snapshot may not contain them. Undefined while the queue works. */
  let unsure: readonly ServerEvent[] | undefined;
  let interruption = new AbortController();

  async function ask(signal: AbortSignal): Promise<Answer | 'woken'> {
    const woken = new AbortController();
    interruption = woken;
    const path = after === undefined ? livePath : `${livePath}?after=${encodeURIComponent(after)}`;
    const stop = AbortSignal.any([signal, woken.signal]);
    try {
      const call = { method: 'GET', path, answer: liveAnswer, timeoutMilliseconds } as const;
      return (await askProduct({ connection, environment, stop }, call)).answer;
    } catch (error) {
      if (woken.signal.aborted && !signal.aborted) return 'woken';
      throw error;
    }
  }

  /** Only a new registration has the changes of lost events. Deleting the queue ends its poll, so that the client registers again. */
  async function renew(signal: AbortSignal): Promise<void> {
    const { cursor } = store.state();
    if (cursor) await retry.until(() => deleteQueue(connection, { queue_id: cursor.queueId }), isRetried, signal);
  }

  async function receive(answer: Answer, signal: AbortSignal): Promise<void> {
    const { missed, events } = answer;
    if (missed) await renew(signal);
    if (signal.aborted) return;
    ({ after } = answer);
    if (missed || events.length > 0) post({ kind: 'live', after, events });
    if (store.state().cursor) onEvents(events);
    unsure &&= [...unsure, ...events];
  }

  async function pollOn(signal: AbortSignal, onAsked: () => void): Promise<void> {
    while (!signal.aborted) {
      const answer = await retry.until(() => ask(signal).finally(onAsked), isRetried, signal);
      if (answer === undefined) {
        if (!signal.aborted) environment.log('live_channel_refused', undefined);
        return;
      }
      if (answer !== 'woken') await receive(answer, signal);
    }
  }

  return {
    poll(signal) {
      unsure = [];
      const { promise: opened, resolve } = Promise.withResolvers<void>();
      return { opened, ended: pollOn(signal, resolve) };
    },
    queueFailed() {
      unsure ??= [];
    },
    queueWorks() {
      unsure = undefined;
    },
    snapshotAdopted() {
      const events = unsure ?? [];
      unsure = undefined;
      if (after === undefined || events.length === 0) return;
      post({ kind: 'live', after, events: [...events] });
      onEvents(events);
    },
    follow(position, events) {
      after = position;
      // A tab without a state gets one that contains these events.
      if (store.state().cursor) onEvents(events);
    },
    news: () => (after === undefined ? [] : [{ kind: 'live', after, events: [] }]),
    wake: () => interruption.abort(),
  };
}
