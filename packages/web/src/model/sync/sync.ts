/** Keeps the state equal to the server's: one tab registers and polls, and sends state and events to the other tabs. */
import type { Batch, EventLoop } from '@engawa/client';
import { failureOf } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { presencesArrived } from '../people/changes.ts';
import type { State } from '../state.ts';
import { withMember } from '../streams/conversation.ts';
import type { Loader } from '../timeline/loader.ts';
import type { ConversationLink } from '../timeline/state.ts';
import type { News } from './news.ts';
import { createLiveChannel } from './live.ts';
import { poll, releaseQueue } from './polling.ts';
import { createReplica } from './replica.ts';
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

interface SyncListeners {
  /** Called in the polling tab: the member is present in another tab. */
  readonly onMemberActive: (active: boolean) => void;
  readonly onEvents: (events: Batch['events'], before: State) => void;
}

export function createSync(context: ModelContext<State>, loader: Loader, { onMemberActive, onEvents }: SyncListeners): Sync {
  const { store, environment, retry, stop } = context;
  const { memberId } = store.state();
  const leave = new AbortController();
  let tabs: Tabs | undefined;
  let loop: EventLoop | undefined;
  const replica = createReplica(context, loader, {
    onEvents,
    onConnection: (connection) => tabs?.post({ kind: 'connection', connection }),
  });

  const post = (news: News) => tabs?.post(news);
  const live = context.capabilities.includes('call_events')
    ? undefined
    : createLiveChannel(context, { onEvents: replica.applyLive, post });

  async function lead(signal: AbortSignal): Promise<void> {
    const channel = live?.poll(signal);
    await Promise.race([channel?.opened, channel?.ended]);
    loop = poll(context, {
      onSnapshot(snapshot) {
        replica.adopt(snapshot);
        post({ kind: 'snapshot', snapshot });
        live?.snapshotAdopted();
      },
      onBatch(batch) {
        live?.queueWorks();
        replica.apply(batch);
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

  function follow(news: News): void {
    const { cursor } = store.state();
    if (news.kind === 'snapshot') replica.adopt(news.snapshot);
    else if (news.kind === 'here') onMemberActive(news.active);
    else if (news.kind === 'live') live?.follow(news);
    else if (news.kind === 'presences') {
      store.update((state) => presencesArrived(state, news.presences, news.update));
    } else if (news.kind === 'batch') {
      if (!replica.applyNew(news.batch)) tabs?.requestState();
    } else if (news.kind === 'leading') {
      // Asks again, because the first request may have reached a tab that was just ending to poll.
      if (news.tab === undefined && !cursor) tabs?.requestState();
    } else if (news.kind === 'connection') {
      if (news.connection === 'signed-out') signOut();
      // A tab without a state is not online yet: the snapshot will make it so.
      else if (news.connection !== 'online' || cursor) replica.become(news.connection);
    }
  }

  function signOut(): void {
    replica.become('signed-out');
    leave.abort();
  }

  /** After a programming error this tab applies no more events, reports the error, and lets another tab poll. */
  function becomeBroken(error: unknown): void {
    environment.log('sync_failed', error);
    replica.become('broken');
    leave.abort();
  }

  return {
    start(link) {
      if (memberId === undefined) return signOut();
      replica.openAtStart(link && { ...link, conversation: withMember(link.conversation, memberId) });
      tabs = joinTabs({
        memberId,
        environment,
        stop: AbortSignal.any([stop, leave.signal]),
        lead,
        onNews: follow,
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
