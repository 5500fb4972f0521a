import type { Session } from '@engawa/protocol/product';
import { browserEnvironment } from './browserEnvironment.ts';
import { createContext } from './context.ts';
import { selectDirectKeys } from './conversations/selectors.ts';
import { createDrafts } from './drafts/drafts.ts';
import { drafted } from './drafts/state.ts';
import type { Model } from './model.ts';
import { onDemand } from './onDemand.ts';
import { isBlank } from './outbox/blank.ts';
import { outboxAfterPage } from './outbox/changes.ts';
import type { OutboxEnvironment } from './outbox/environment.ts';
import { Outbox } from './outbox/outbox.ts';
import { createPeopleCommands } from './people/commands.ts';
import { initialState, type State } from './state.ts';
import { createStore } from './store.ts';
import { createStreamCommands } from './streams/commands.ts';
import type { ConversationKey } from './streams/conversation.ts';
import { createSync } from './sync/sync.ts';
import { pageArrived } from './timeline/changes.ts';
import { createTimelineCommands } from './timeline/commands.ts';
import { createLoader } from './timeline/loader.ts';
import { createReadMarks } from './timeline/markRead.ts';
import { createArrivals } from './unread/arrivals.ts';
import { createUnreadCommands } from './unread/commands.ts';
import { storedKeptUnread, storeKeptUnread } from './unread/keptUnread.ts';

export interface ModelOptions {
  readonly session: Session;
  readonly environment?: OutboxEnvironment;
}

export function createModel({ session, environment = browserEnvironment() }: ModelOptions): Model {
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  const keptUnread = storedKeptUnread(environment.storage, session.member?.user_id);
  const store = createStore<State>({ ...initialState(session), keptUnread });
  storeKeptUnread(environment.storage, store);
  const context = createContext({ session, environment, store, stop, onSignedOut: () => sync.signOut() });

  const drafts = createDrafts(
    {
      browser: environment.sharedStorage,
      tab: environment.storage,
      onOtherTab: environment.onOtherTab,
      now: () => environment.clock.now(),
    },
    session.member?.user_id,
  );
  const noteDraft = (conversation: ConversationKey) => {
    const { text, files } = drafts.get(conversation);
    store.update((state) => drafted(state, conversation, files.length > 0 || !isBlank(text)));
  };
  drafts.conversations().forEach(noteDraft);
  const stopNoting = drafts.onWritten(noteDraft);
  const synchronization = onDemand(
    context,
    () => import('./drafts/synchronize.ts'),
    ({ synchronizeDrafts }) => synchronizeDrafts({ context, drafts, leads: () => sync.leads() }),
  );
  const calls = onDemand(
    context,
    () => import('./calls/calls.ts'),
    ({ createCalls }) => createCalls(context),
  );
  store.watch(isSynchronizable, () => {
    if (!isSynchronizable(store.state())) return;
    void synchronization.use(() => undefined);
    if (session.calls) void calls.use(() => undefined);
  });

  const outbox = new Outbox({ ...context, session, environment });
  const arrivals = createArrivals();
  const loader = createLoader({
    ...context,
    show: (conversation, page) => store.update((state) => outboxAfterPage(pageArrived(state, conversation, page), conversation)),
    directs: selectDirectKeys,
  });
  const sync = createSync(context, loader, {
    onMemberActive: (active) => people.memberActive(active),
    onEvents(code, events, before) {
      outbox.settle();
      arrivals.notify(() => code.arrivalsIn(events, before));
      timelines.onEvents(events);
      unread.onEvents(events);
      if (calls.isUsed) void calls.use((part) => part.onEvents(events));
    },
  });
  const stopWaking = environment.onWake(sync.wake);
  const people = createPeopleCommands(context, sync, () => outbox.clear());
  const timelines = createTimelineCommands(context, loader, sync.fill);
  const unread = createUnreadCommands(context);
  const readMarks = createReadMarks(context);

  function send(conversation: ConversationKey, contents: readonly (string | File)[]): void {
    if (contents.length === 0) return;
    void outbox.add(conversation, contents);
    readMarks.resume(conversation);
    // A sent message is shown below the newest message, which must be loaded for that.
    if (store.state().timelines.get(conversation)?.foundNewest === false) timelines.toNewest(conversation);
  }

  function unlessKeptUnread(conversation: ConversationKey, read: () => void): void {
    const { keptUnread: kept, unreading } = store.state();
    if (kept !== conversation && !unreading.includes(conversation)) read();
  }

  return {
    ...people,
    ...createStreamCommands(context),
    ...unread,
    ...timelines,
    state: store.state,
    subscribe: store.subscribe,
    watch: store.watch,
    session,
    drafts,
    calls,
    onArrival: arrivals.onArrival,
    polls: sync.leads,
    start: sync.start,
    async stop() {
      stopping.abort();
      stopWaking();
      stopNoting();
      store.clear();
      arrivals.clear();
      await sync.ended();
    },
    signOut: sync.signOutSilently,
    reloadDepartments: sync.reloadDepartments,

    send: (conversation, { text, file }) => send(conversation, [...(isBlank(text) ? [] : [text]), ...(file ? [file] : [])]),
    retry: (localKey) => outbox.retry(localKey),
    discard(localKey) {
      const outgoing = outbox.discard(localKey);
      return outgoing && { text: outgoing.text, file: outgoing.file };
    },
    cancel(localKey) {
      const { conversation, file } = outbox.cancel(localKey) ?? {};
      return conversation !== undefined && file ? () => send(conversation, [file]) : undefined;
    },

    resumeReading: (conversation) => unlessKeptUnread(conversation, () => readMarks.resume(conversation)),
    markRead: (conversation) => unlessKeptUnread(conversation, () => readMarks.markRead(conversation)),
    markShown: (conversation, ids) => unlessKeptUnread(conversation, () => readMarks.markShown(conversation, ids)),
  };
}

/** Less urgent than the first screen. If loading the code fails, the next time that the tab is online tries again. */
const isSynchronizable = ({ settled, connection, drafts }: State) => settled && connection === 'online' && drafts !== undefined;
