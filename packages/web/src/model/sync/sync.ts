/** Keeps the state equal to the server's: one tab registers and polls, and sends state and events to the other tabs. */
import { NetworkError, sleep, type EventLoop } from '@engawa/client';
import { endpoint } from '@engawa/protocol';
import { z } from 'zod/mini';
import { failureOf, isTemporary } from '../connection/failure.ts';
import { selectSettled } from '../connection/state.ts';
import type { ModelContext } from '../context.ts';
import type { State } from '../state.ts';
import { withMember } from '../streams/conversation.ts';
import type { Loader } from '../timeline/loader.ts';
import type { ConversationLink } from '../timeline/state.ts';
import type { News } from './news.ts';
import type { LiveChannel } from './live.ts';
import { poll, releaseQueue } from './polling.ts';
import { createReplica, type EventCode, type OnEvents } from './replica.ts';
import { firstScreenTime } from './screen.ts';
import { snapshot as snapshotSchema } from './snapshot.ts';
import { joinTabs, type Tabs } from './tabs.ts';

export interface Sync {
  /** @param link The conversation to open first, instead of the stream with the newest message. */
  start(link: ConversationLink | undefined): void;
  fill(): void;
  /** Retries at once what has failed for lack of network. */
  wake(): void;
  reloadDepartments(): void;
  leads(): boolean;
  post(news: News): void;
  signOut(): void;
  /** Signs out without notifying the other tabs, because the browser session notifies them. */
  signOutSilently(): void;
  ended(): Promise<void>;
}

type EventNews = Extract<News, { kind: 'live' | 'presences' | 'batch' }>;

interface SyncListeners {
  /** Called in the polling tab: the member is present in another tab. */
  readonly onMemberActive: (active: boolean) => void;
  readonly onEvents: OnEvents;
}

/** Milliseconds, so that a request without an answer does not hold the next attempt. */
const longestProbe = 10_000;
/** Some browsers remember that a file could not be loaded, so that after a few attempts only a reload helps. */
const mostLoads = 3;
/** `getServerSettings` without its schema, because only the arrival of an answer matters. */
const anyAnswer = endpoint('GET', '/server_settings', { answer: z.object({}) });

export function createSync(context: ModelContext<State>, loader: Loader, { onMemberActive, onEvents }: SyncListeners): Sync {
  const { store, environment, clock, retry, stop } = context;
  const { memberId } = store.state();
  const leave = new AbortController();
  let tabs: Tabs | undefined;
  let loop: EventLoop | undefined;
  const replica = createReplica(context, loader, {
    onEvents,
    onConnection: (connection) => tabs?.post({ kind: 'connection', connection }),
  });

  const post = (news: News) => tabs?.post(news);
  const needsLive = !context.capabilities.includes('call_events');
  let live: LiveChannel | undefined;
  let code: EventCode | undefined;
  let failedLoads = 0;
  /** The messages of the polling tab are applied one after the other. */
  let following = Promise.resolve();

  async function isReachable(): Promise<boolean> {
    const answer = await context.attempt(() =>
      context.connection.call(anyAnswer, {}, { signal: stop, timeoutMilliseconds: longestProbe }),
    );
    return !('kind' in answer);
  }

  /** @throws NetworkError */
  async function loadCode(): Promise<EventCode> {
    const loaded = await import('./events.ts').catch(async (error: unknown) => {
      // Only attempts with a network count: after an outage the next one may work.
      if (await isReachable()) failedLoads += 1;
      if (failedLoads === mostLoads) becomeBroken(error);
      throw new NetworkError('events.ts', error);
    });
    if (needsLive) live ??= loaded.createLiveChannel(context, { onEvents: (events) => replica.applyLive(loaded, events), post });
    code = loaded;
    return loaded;
  }

  /** Resolves when the first messages are drawn, or after `firstScreenTime`. The code for events would delay them. */
  async function firstScreenDrawn(signal: AbortSignal): Promise<void> {
    if (selectSettled(store.state())) return;
    const drawn = new AbortController();
    const stopWatching = store.watch(selectSettled, () => drawn.abort());
    await sleep(clock, firstScreenTime, AbortSignal.any([signal, drawn.signal]));
    stopWatching();
  }

  async function lead(signal: AbortSignal): Promise<void> {
    // Events of the last polling tab must not be applied to the state of a later poll.
    await following;
    let drawn: Promise<void> | undefined;
    // The channel must be open before the registration, so that no event is lost between them.
    if (needsLive) await retry.until(loadCode, isTemporary, signal);
    const channel = live?.poll(signal);
    await Promise.race([channel?.opened, channel?.ended]);
    loop = poll(context, {
      onSnapshot(snapshot) {
        replica.adopt(snapshot);
        post({ kind: 'snapshot', snapshot });
        live?.snapshotAdopted();
      },
      async ready() {
        await (drawn ??= firstScreenDrawn(signal));
        if (!signal.aborted) await loadCode();
      },
      onBatch(batch) {
        if (!code) throw new Error('a batch arrived before the code for events');
        live?.queueWorks();
        replica.apply(code, batch);
        if (batch.events.length > 0) post({ kind: 'batch', batch: { ...batch, events: [...batch.events] } });
      },
      onFailure(error) {
        live?.queueFailed();
        replica.become(failureOf(error).kind === 'chat-server-away' ? 'chat-server-away' : 'reconnecting');
      },
      onSignedOut: signOut,
      signal,
    });
    await Promise.all([loop.ended, channel?.ended]);
    loop = undefined;
    // A tab that waits for the lock continues to poll this queue, so only the last tab deletes it.
    if (stop.aborted && !(await tabs?.hasHeir())) await releaseQueue(context);
  }

  async function follow(news: News, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { cursor } = store.state();
    if (news.kind === 'snapshot') replica.adopt(news.snapshot);
    else if (news.kind === 'here') onMemberActive(news.active);
    else if (news.kind === 'batch' && !cursor) tabs?.requestState();
    else if (news.kind === 'live' || news.kind === 'presences' || news.kind === 'batch') {
      const loaded = code ?? (await retry.until(loadCode, isTemporary, signal));
      if (loaded && !signal.aborted) followEvents(loaded, news);
    } else if (news.kind === 'leading') {
      // Asks again, because the first request may have reached a tab that was just ending to poll.
      if (news.tab === undefined && !cursor) tabs?.requestState();
    } else if (news.kind === 'connection') {
      if (news.connection === 'signed-out') signOut();
      // A tab without a state is not online yet: the snapshot will make it so.
      else if (news.connection !== 'online' || cursor) replica.become(news.connection);
    }
  }

  function followEvents(loaded: EventCode, news: EventNews): void {
    if (news.kind === 'presences') return store.update((state) => loaded.presencesArrived(state, news.presences, news.update));
    const { data: events } = loaded.serverEvents.safeParse(news.kind === 'live' ? news.events : news.batch.events);
    if (!events) return;
    if (news.kind === 'live') live?.follow(news.after, events);
    else if (!replica.applyNew(loaded, { ...news.batch, events })) tabs?.requestState();
  }

  function signOut(): void {
    replica.become('signed-out');
    leave.abort();
  }

  /** After a programming error, or without its code, this tab applies no more events, reports the error, and lets another tab poll. */
  function becomeBroken(error: unknown): void {
    environment.log('sync_failed', error);
    replica.become('broken');
    leave.abort();
  }

  return {
    start(link) {
      if (memberId === undefined) return signOut();
      replica.openAtStart(link && { ...link, conversation: withMember(link.conversation, memberId) });
      const gone = AbortSignal.any([stop, leave.signal]);
      tabs = joinTabs({
        memberId,
        environment,
        stop: gone,
        lead,
        onNews(news) {
          following = following.then(() => follow(news, gone)).catch(becomeBroken);
        },
        answer: (tab) => [...stateFor(tab, store.state()), ...(live?.news() ?? [])],
        onError: becomeBroken,
      });
    },
    fill: replica.fill,
    wake() {
      tabs?.wake();
      loop?.wake();
      live?.wake();
      retry.wake();
      replica.reloadFailed();
    },
    reloadDepartments: replica.reloadDepartments,
    leads: () => loop !== undefined,
    post,
    signOut,
    signOutSilently() {
      // From here on this tab sends nothing: the other tabs know of the sign-out, and may be signed in again.
      leave.abort();
      signOut();
    },
    ended: async () => tabs?.ended,
  };
}

function stateFor(tab: string, state: State): readonly News[] {
  const { connection } = state;
  const snapshot = snapshotSchema.safeParse(state).data;
  return [
    ...(snapshot ? [{ kind: 'snapshot', tab, snapshot } as const] : []),
    // Sent as well, because a snapshot alone makes the other tab online.
    ...(connection === 'reconnecting' || connection === 'chat-server-away' ? [{ kind: 'connection', connection } as const] : []),
  ];
}
