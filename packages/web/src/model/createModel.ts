import { connect } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { memberHeader, type Session } from '@engawa/protocol/product';
import { isBlank } from './outbox/blank.ts';
import { createArrivals } from './unread/arrivals.ts';
import type { Attendance } from './people/attendance.ts';
import type { ConversationKey } from './streams/conversation.ts';
import { failureOf, type Failure } from './connection/failure.ts';
import { keptUnreadIn } from './unread/keptUnread.ts';
import type { CommandsOnDemand } from './commandsOnDemand.ts';
import { createLoader } from './timeline/loader.ts';
import { createStars } from './timeline/stars.ts';
import { browserEnvironment } from './browserEnvironment.ts';
import { Outbox } from './outbox/outbox.ts';
import type { OutboxEnvironment } from './outbox/environment.ts';
import { createReadMarks } from './timeline/markRead.ts';
import { createReactions } from './timeline/reactions.ts';
import { outboxAfterPage } from './outbox/changes.ts';
import { profileFailed } from './people/changes.ts';
import { createReceipts } from './unread/receipts.ts';
import { createRetry } from './connection/retry.ts';
import { rightsOver, secondsToEdit } from './timeline/rights.ts';
import { initialState, type State } from './state.ts';
import type { Model } from './model.ts';
import { createStore } from './store.ts';
import { createSync } from './sync/sync.ts';
import type { Typing } from './timeline/typing.ts';
import { locate } from './timeline/state.ts';
import { japan } from './people/zone.ts';
import { selectDirectKeys, selectStreamIds } from './conversations/selectors.ts';
import { selectMe, selectSendsReceipts, selectSettings } from './people/selectors.ts';
import type { Page } from './timeline/timeline.ts';
import { ledTo, opened, openedAt, pageArrived, returnedTo } from './timeline/changes.ts';

export interface ModelOptions {
  readonly session: Session;
  /** By default the browser's. */
  readonly environment?: OutboxEnvironment;
}

/** Connects the parts of the model. It is long because it has one entry per command. */
export function createModel({ session, environment = browserEnvironment() }: ModelOptions): Model {
  const { clock, random } = environment;
  const { member, extensions } = session;
  const stopping = new AbortController();
  const stop = stopping.signal;

  const headers = member ? { [memberHeader]: String(member.user_id) } : {};
  const connection = connect({ realm: environment.site, headers, fetch: environment.fetch, clock });
  const keptUnread = keptUnreadIn(environment.storage, member?.user_id);
  const initial = { ...initialState(session), keptUnread: keptUnread.read() };
  const store = createStore(initial);
  let last = store.state();
  store.subscribe(() => {
    const before = last;
    const after = store.state();
    last = after;
    if (after.keptUnread !== before.keptUnread) keptUnread.keep(after.keptUnread);
  });
  const retry = createRetry({ clock, random, stop, judge });
  const show = (conversation: ConversationKey, page: Page) =>
    store.update((state) => outboxAfterPage(pageArrived(state, conversation, page), conversation));
  const loader = createLoader({ connection, store, extensions, retry, show, directs: selectDirectKeys, stop });
  const outbox = new Outbox({ connection, store, session, environment, retry, stop });
  const reactions = createReactions({ connection, store, judge, stop });
  const stars = createStars({ connection, store, judge, stop });
  const readMarks = createReadMarks({ connection, store, stop }, retry);
  const sendsReceipts = () => selectSendsReceipts(store.state());
  const receipts = createReceipts({ connection, store, extensions, sends: sendsReceipts, clock, judge, stop });
  const arrivals = createArrivals();
  /** Loaded when the member begins to type. */
  let typing: Promise<Typing> | undefined;

  function withTyping(act: (typing: Typing) => void): void {
    typing ??= import('./timeline/typing.ts').then(({ createTyping }) => createTyping({ connection, store, judge, stop }, clock));
    typing.then(act, (error: unknown) => {
      // The next call tries again.
      typing = undefined;
      environment.log('typing_load_failed', error);
    });
  }

  function onEvents(events: readonly ServerEvent[], before: State): void {
    outbox.settle();
    arrivals.notify(events, before);
    if (typing || events.some(({ type }) => type === 'typing')) withTyping((there) => there.receive(events));
  }

  let attendance: Promise<Attendance> | undefined;
  const onHere = (active: boolean) => {
    // `attend` reports a failed import and retries it.
    attendance?.then(
      (there) => there.memberActive(active),
      () => undefined,
    );
  };
  const sync = createSync({
    connection,
    store,
    environment,
    extensions,
    loader,
    retry,
    onHere,
    streams: selectStreamIds,
    onEvents,
    stop,
  });
  const sleepOn = environment.onWake(sync.wake);

  /** A 401 of any call signs the member out. */
  function judge(error: unknown): Failure {
    const failure = failureOf(error);
    if (failure.kind === 'signed-out') sync.signOut();
    return failure;
  }

  let commands: CommandsOnDemand | undefined;
  async function onDemand<Done>(act: (commands: CommandsOnDemand) => Promise<Done>): Promise<Done | Failure> {
    if (!commands) {
      const part = await import('./commandsOnDemand.ts').catch(() => undefined);
      if (!part) return { kind: 'network' };
      commands ??= part.createCommandsOnDemand({ connection, store, environment, retry, judge, stop });
    }
    return act(commands);
  }

  function send(conversation: ConversationKey, contents: readonly (string | File)[]): void {
    if (contents.length === 0) return;
    void outbox.add(conversation, contents);
    readMarks.resume(conversation);
    // A sent message stands below the newest, so the newest messages must be loaded.
    if (store.state().timelines.get(conversation)?.foundNewest === false) toNewest(conversation);
  }

  function unlessKeptUnread(conversation: ConversationKey, read: (conversation: ConversationKey) => void): void {
    const { keptUnread, unreading } = store.state();
    if (keptUnread !== conversation && !unreading.includes(conversation)) read(conversation);
  }

  function toNewest(conversation: ConversationKey): void {
    store.update((state) => ledTo(state, conversation, 'newest'));
    sync.fill();
  }

  async function attending(): Promise<Attendance> {
    const { createAttendance } = await import('./people/attendance.ts');
    // A pending setting does not count yet: until it is stored, the server reports nobody as present.
    const isShown = () => {
      const state = store.state();
      return state.settings.presence_enabled !== false && selectSettings(state).presence_enabled !== false;
    };
    return createAttendance({ connection, store, sync, clock, isShown, judge, stop });
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    watch: store.watch,
    session,
    onArrival: arrivals.listen,
    polls: sync.leads,

    start: sync.start,

    async stop() {
      stopping.abort();
      sleepOn();
      store.clear();
      arrivals.clear();
      await sync.ended();
    },

    signOut: sync.signOutSilently,

    loadProfile() {
      onDemand(async (there) => there.loadProfile()).then(
        (failure) => failure && store.update((state) => profileFailed(state, failure)),
      );
    },
    saveProfile: (draft) => onDemand((there) => there.saveProfile(draft)),

    open(conversation) {
      store.update((state) => opened(state, conversation));
      sync.fill();
    },

    openAt(conversation, messageId) {
      store.update((state) => openedAt(state, conversation, messageId));
      sync.fill();
    },

    readOn(conversation, messageId) {
      store.update((state) => ledTo(state, conversation, messageId, true));
      sync.fill();
    },

    returnTo(place) {
      store.update((state) => returnedTo(state, place));
      sync.fill();
    },

    toNewest,

    loadFlagged: (...input) => onDemand((there) => there.loadFlagged(...input)),
    addAlertWord: (word) => onDemand((there) => there.addAlertWord(word)),
    removeAlertWord: (word) => onDemand((there) => there.removeAlertWord(word)),

    createGroup: (...input) => onDemand((there) => there.createGroup(...input)),

    async changeStream(...input) {
      const part = await import('./streams/streamChanges.ts').catch(() => undefined);
      return part ? part.changeStream({ connection, store, environment, judge, stop }, ...input) : { kind: 'network' };
    },

    reloadDepartments: sync.reloadDepartments,

    loadOlder: loader.older,
    loadNewer: loader.newer,

    reload(conversation) {
      if (store.state().timelines.get(conversation)?.failure) loader.reload(conversation);
    },

    send: (conversation, { text, file }) => send(conversation, [...(isBlank(text) ? [] : [text]), ...(file ? [file] : [])]),

    writes: (conversation, still) => {
      // A member who has not begun to type has nothing to end.
      if (still || typing) withTyping(({ report }) => report(conversation, still));
    },

    retry: (localKey) => outbox.retry(localKey),

    discard(localKey) {
      const row = outbox.discard(localKey);
      return row && { text: row.text, file: row.file };
    },

    cancel(localKey) {
      const { conversation, file } = outbox.cancel(localKey) ?? {};
      return conversation !== undefined && file ? () => send(conversation, [file]) : undefined;
    },

    async search(...input) {
      // The search panel has loaded this module already.
      const { searchBy } = await import('./timeline/search.ts');
      const zone = selectMe(store.state())?.timezone || japan;
      return searchBy({ connection, judge, stop }, extensions, zone)(...input);
    },

    account: onDemand,
    ask: (call) => onDemand((there) => there.ask(call)),
    changeSettings: (change) => onDemand((there) => there.changeSettings(change)),
    setStatus: (status) => onDemand((there) => there.setStatus(status)),

    attend(attended) {
      attendance ??= attending();
      attendance
        .then((there) => there.attend(attended))
        .catch((error: unknown) => {
          // The next input loads it again. Until then the member is not reported as present.
          attendance = undefined;
          environment.log('attendance_load_failed', error);
        });
    },
    countEmojiUses: (emoji) => void onDemand((there) => there.countEmojiUses(emoji)),

    watchReaders: receipts.watch,
    readersOf: receipts.readersOf,
    showReceipts: receipts.show,

    rights(key) {
      const state = store.state();
      const message = typeof key === 'number' ? locate(state, key) : undefined;
      const me = state.memberId === undefined ? undefined : state.users.get(state.memberId);
      return message ? rightsOver(message, me, state.limits, Math.floor(clock.now() / 1000)) : { edit: false, delete: false };
    },

    secondsToEdit(messageId) {
      const message = locate(store.state(), messageId);
      return message && secondsToEdit(message, store.state().limits, clock.now() / 1000);
    },

    edit: (...input) => onDemand((there) => there.edit(...input)),
    remove: (...input) => onDemand((there) => there.remove(...input)),
    history: (...input) => onDemand((there) => there.history(...input)),
    toggleReaction: reactions.toggle,
    star: stars.star,
    unreadFrom: (...input) => onDemand((there) => there.unreadFrom(...input)),

    resumeReading: (conversation) => unlessKeptUnread(conversation, readMarks.resume),
    markRead: (conversation) => unlessKeptUnread(conversation, readMarks.markRead),
    markShown: (conversation, ...shown) => unlessKeptUnread(conversation, () => readMarks.markShown(conversation, ...shown)),
  };
}
