/** Synchronises the state with the server: the leading tab registers and polls, other tabs receive its news. */
import {
  callOnEachBatch,
  CallError,
  deleteQueue,
  getMessages,
  getSubscriptions,
  sleep,
  type Batch,
  type Connection as ServerConnection,
  type EventLoop,
  type Registration,
} from '@engawa/client';
import type { EventType } from '@engawa/protocol';
import { mayOpen, withMember } from '../streams/conversation.ts';
import { fetchDepartments } from '../people/departments.ts';
import { passes } from '../connection/failure.ts';
import { joinTabs, type Tabs } from './tabs.ts';
import type { Loader } from '../timeline/loader.ts';
import type { News } from './news.ts';
import type { Environment } from '../environment.ts';
import { connectionBecame, firstScreenShown, type Connection } from '../connection/state.ts';
import { departmentsFailed, departmentsLoaded, directoryLoaded, presencesArrived } from '../people/changes.ts';
import { happened, registered } from './changes.ts';
import { opened, openedAt } from '../timeline/changes.ts';
import type { Retry } from '../connection/retry.ts';
import { snapshot as snapshotSchema, snapshotOf, type Snapshot } from './snapshot.ts';
import type { State } from '../state.ts';
import type { Store } from '../store.ts';
import { needsLoading } from '../timeline/timeline.ts';
import type { Place } from '../timeline/state.ts';

const eventTypes: readonly EventType[] = [
  'message',
  'update_message',
  'delete_message',
  'update_message_flags',
  'reaction',
  'subscription',
  'stream',
  'realm_user',
  'alert_words',
  'user_settings',
  'realm',
  'typing',
  'presence',
  'user_status',
  'directory',
];

/** Newest messages of all streams together: they identify the newest stream and give most previews. */
const recentMessages = 100;

export interface Sync {
  /** @param place Where to begin, instead of the stream with the newest message. */
  start(place: Place | undefined): void;
  /** Loads what the open conversation lacks. */
  fill(): void;
  /** Retries at once what waits for the network. */
  wake(): void;
  reloadDepartments(): void;
  /** Whether this tab leads. */
  leads(): boolean;
  /** Sends to the other tabs. */
  post(news: News): void;
  /** The server no longer knows the member. */
  signOut(): void;
  /** Signs out without notifying the other tabs, which are notified by other means. */
  signOutSilently(): void;
  ended(): Promise<void>;
}

export interface SyncOptions {
  readonly connection: ServerConnection;
  readonly store: Store<State>;
  readonly environment: Environment;
  readonly extensions: readonly string[];
  readonly loader: Loader;
  readonly retry: Retry;
  /** For the leader: the member is present in another tab. */
  readonly onHere: (active: boolean) => void;
  /** Stream ids in the order of the list. */
  readonly streams: (state: State) => readonly number[] | undefined;
  /** Called with applied events and the state before them. */
  readonly onEvents: (events: Batch['events'], before: State) => void;
  readonly stop: AbortSignal;
}

/** It is long because leading and following share the state of the tab: its queue, its lock and what is still to be loaded. */
export function createSync(options: SyncOptions): Sync {
  const { connection, store, environment, extensions, loader, retry, onHere, streams, onEvents, stop } = options;
  const { memberId } = store.state();
  const leave = new AbortController();
  const end = AbortSignal.any([stop, leave.signal]);
  let tabs: Tabs | undefined;
  let loop: EventLoop | undefined;
  let ended: Promise<void> | undefined;
  let wanted: Place | undefined;
  /** Aborted when they are requested again. */
  let loadingDepartments: AbortController | undefined;
  let loadingDirectory: AbortController | undefined;
  let directoryIsOld = true;
  let waitsForFrame = false;
  /** A delayed request for departments and directory is pending. */
  let isRefetchPending = false;

  // Leading

  async function lead(signal: AbortSignal): Promise<void> {
    const { clock, random, log } = environment;
    loop = callOnEachBatch(connection, applyAndPost, {
      eventTypes,
      registration: {
        fetch_event_types: [
          'message',
          'update_message_flags',
          'recent_private_conversations',
          'realm_user',
          'realm',
          'alert_words',
          'user_settings',
          'presence',
          'user_status',
        ],
        apply_markdown: false,
        client_gravatar: false,
        slim_presence: true,
        client_capabilities: { stream_typing_notifications: true, simplified_presence_events: true },
      },
      // Continues the queue of the previous leader.
      resume: store.state().cursor,
      pause: 'after-empty-or-failed',
      recover: true,
      onRegister: (registration) => begin(registration, signal),
      onFailure: () => become('reconnecting'),
      onSignedOut: signOut,
      signal,
      clock,
      random,
      log,
    });
    await loop.ended;
    loop = undefined;
    if (stop.aborted) await releaseQueue();
  }

  async function begin(registration: Registration, signal: AbortSignal): Promise<void> {
    // Another member has signed in with this browser in another tab.
    if (memberId === undefined || (registration.user_id ?? memberId) !== memberId) return signOut();

    const [{ subscriptions }, { messages }] = await Promise.all([
      getSubscriptions(connection, { include_subscribers: true }, { signal }),
      getMessages(
        connection,
        {
          anchor: 'newest',
          num_before: recentMessages,
          num_after: 0,
          apply_markdown: false,
          client_gravatar: false,
          ...(extensions.includes('include_deleted') ? { include_deleted: true } : {}),
        },
        { signal },
      ),
    ]);
    const snapshot = snapshotOf(registration, subscriptions, messages, memberId, environment.clock.now() / 1000);
    adopt(snapshot);
    tabs?.post({ kind: 'snapshot', snapshot });
  }

  function applyAndPost(batch: Batch): void {
    apply(batch);
    if (batch.events.length > 0) tabs?.post({ kind: 'batch', batch: { ...batch, events: [...batch.events] } });
  }

  /** Deletes the queue, unless another tab waits for the lock and continues it. */
  async function releaseQueue(): Promise<void> {
    const { cursor } = store.state();
    if (!cursor || (await tabs?.hasHeir())) return;
    try {
      await deleteQueue(connection, { queue_id: cursor.queueId });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // The server drops the queue by itself after ten minutes.
      environment.log('queue_delete_failed', error);
    }
  }

  // Following

  function follow(what: News): void {
    try {
      take(what);
    } catch (error) {
      becomeBroken(error);
    }
  }

  function take(what: News): void {
    // The request may have reached a tab that was just giving up the lead.
    if (what.kind === 'leading' && what.tab === undefined && !store.state().cursor) tabs?.ask();
    if (what.kind === 'snapshot') adopt(what.snapshot);
    if (what.kind === 'batch') followBatch(what.batch);
    if (what.kind === 'here') onHere(what.active);
    if (what.kind === 'presences') {
      const { presences, update } = what;
      store.update((state) => presencesArrived(state, presences, update));
    }
    if (what.kind === 'connection') {
      if (what.connection === 'signed-out') signOut();
      // A tab with a state counts as online: the snapshot says so.
      else if (what.connection === 'reconnecting' || store.state().cursor) become(what.connection);
    }
  }

  function followBatch(batch: Batch): void {
    const { cursor } = store.state();
    const missedSome = !cursor || batch.queueId !== cursor.queueId || batch.after > cursor.lastEventId;
    if (missedSome) tabs?.ask();
    else apply({ ...batch, events: batch.events.filter((event) => isChangedElsewhere(event, cursor.lastEventId)) });
  }

  function answer(tab: string): readonly News[] {
    const { connection } = store.state();
    const snapshot = snapshotSchema.safeParse(store.state()).data;
    return [
      ...(snapshot ? [{ kind: 'snapshot', tab, snapshot } as const] : []),
      // The arrival of a snapshot alone would say online.
      ...(connection === 'reconnecting' ? [{ kind: 'connection', connection } as const] : []),
    ];
  }

  // Both

  function adopt(snapshot: Snapshot): void {
    loader.abandon();
    directoryIsOld = true;
    changeTo('online', (state) => registered(state, snapshot));
    void loadDepartments();
  }

  /**
   * Members whom the change concerns load it at once. The others wait for a random delay, because a large organisation has many.
   */
  async function refetchOrganisation(isOwn: boolean): Promise<void> {
    if (isRefetchPending && !isOwn) return;
    isRefetchPending = true;
    if (!isOwn) await sleep(environment.clock, environment.random() * store.state().users.size, stop);
    isRefetchPending = false;
    if (stop.aborted) return;
    void loadDepartments();
    directoryIsOld = true;
    loadRest();
  }

  function apply({ queueId, lastEventId, events }: Batch): void {
    const before = store.state();
    changeTo('online', (state) => happened(state, events, { queueId, lastEventId }));
    onEvents(events, before);
    const changes = events.filter((event) => event.type === 'directory');
    if (changes.length > 0)
      void refetchOrganisation(changes.some(({ user_ids }) => memberId !== undefined && user_ids.includes(memberId)));
  }

  function become(connection: Connection): void {
    changeTo(connection, (state) => state);
  }

  /** Batches changes that belong together, so that listeners are notified once. */
  function changeTo(connection: Connection, change: <S extends State>(state: S) => S): void {
    const before = store.state().connection;
    store.update((state) => withOpenStream(connectionBecame(change(state), connection)));
    const after = store.state().connection;
    if (after === 'online') fill();
    else if (after !== 'starting') loadRest();
    if (after === before || after === 'starting' || after === 'broken') return;
    tabs?.post({ kind: 'connection', connection: after });
    if (after !== 'online') return;
    retry.wake();
    reloadFailed();
  }

  function withOpenStream<S extends State>(state: S): S {
    if (state.current !== undefined || !state.subscriptions) return state;
    const place = wanted && mayOpen(state, wanted.conversation) ? wanted : undefined;
    if (place?.messageId !== undefined) return openedAt(state, place.conversation, place.messageId);
    const first = place?.conversation ?? streams(state)?.[0];
    return first === undefined ? state : opened(state, first);
  }

  function fill(): void {
    const { current, timelines } = store.state();
    const timeline = current === undefined ? undefined : timelines.get(current);
    if (current === undefined || !timeline) loadRest();
    else if (needsLoading(timeline)) void loader.fill(current).finally(loadRest);
    else if (!timeline.loading) loadRest();
  }

  /** The first conversation is loaded, or has failed: once it is drawn, the rest is loaded. */
  function loadRest(): void {
    if (waitsForFrame || store.state().connection === 'starting') return;
    waitsForFrame = true;
    environment.onceDrawn(() => {
      waitsForFrame = false;
      if (stop.aborted) return;
      store.update(firstScreenShown);
      // Going online fills it again.
      if (store.state().connection !== 'online') return;
      loader.previews();
      if (!directoryIsOld) return;
      directoryIsOld = false;
      loadDirectory().catch((error: unknown) => environment.log('directory_load_failed', error));
    });
  }

  async function loadDepartments(): Promise<void> {
    loadingDepartments?.abort();
    const loading = new AbortController();
    loadingDepartments = loading;
    const signal = AbortSignal.any([stop, loading.signal]);
    const departments = await retry.until(
      () => fetchDepartments(environment, connection, signal),
      (failure) => {
        store.update((state) => departmentsFailed(state, failure));
        return failure.kind !== 'signed-out';
      },
      signal,
    );
    if (departments && loadingDepartments === loading) store.update((state) => departmentsLoaded(state, departments));
  }

  /** Without it members are known by their names alone. */
  async function loadDirectory(): Promise<void> {
    loadingDirectory?.abort();
    const loading = new AbortController();
    loadingDirectory = loading;
    const signal = AbortSignal.any([stop, loading.signal]);
    const { fetchDirectory } = await import('../people/directory.ts');
    const people = await retry.until(() => fetchDirectory(environment, connection, signal), passes, signal);
    if (people && loadingDirectory === loading) store.update((state) => directoryLoaded(state, people));
  }

  function reloadFailed(): void {
    const { current, timelines } = store.state();
    const failure = current === undefined ? undefined : timelines.get(current)?.failure;
    if (current !== undefined && failure && passes(failure)) loader.reload(current);
  }

  function signOut(): void {
    become('signed-out');
    leave.abort();
  }

  function signOutSilently(): void {
    // Nothing is published from here on: the other tabs know, and may have been signed in again since.
    leave.abort();
    signOut();
  }

  /** A programming error: this tab stops following events, reports that, and gives up the lead. */
  function becomeBroken(error: unknown): void {
    environment.log('sync_failed', error);
    become('broken');
    leave.abort();
  }

  return {
    start(place) {
      if (memberId === undefined) {
        signOut();
        return;
      }
      wanted = place && { ...place, conversation: withMember(place.conversation, memberId) };
      const { locks, openChannel, clock } = environment;
      tabs = joinTabs({ memberId, locks, openChannel, clock, stop: end, lead, onNews: follow, answer });
      ended = tabs.ended.catch(becomeBroken);
    },
    fill,
    wake() {
      tabs?.wake();
      loop?.wake();
      retry.wake();
      reloadFailed();
    },
    reloadDepartments() {
      store.update((state) => departmentsFailed(state, undefined));
      void loadDepartments();
    },
    leads: () => loop !== undefined,
    post: (what) => tabs?.post(what),
    signOut,
    signOutSilently,
    ended: async () => ended,
  };
}

/** Presence events are not in the log, so their ids may repeat. */
function isChangedElsewhere({ id, type }: Batch['events'][number], after: number): boolean {
  return id > after || type === 'presence';
}
