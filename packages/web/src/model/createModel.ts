import { connect } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { memberHeader, paths, type Session } from '@engawa/protocol/product';
import { isBlank } from './outbox/blank.ts';
import { createArrivals } from './timeline/arrivals.ts';
import type { Attendance } from './people/attendance.ts';
import type { ConversationKey } from './timeline/conversation.ts';
import { streamOfDepartment } from './streams/departments.ts';
import { failureOf } from './connection/failure.ts';
import { keptUnreadIn } from './unread/keptUnread.ts';
import type { Later } from './later.ts';
import { keepingOf } from './outbox/keeping.ts';
import { createLoader } from './timeline/loader.ts';
import { createMarker } from './unread/marker.ts';
import { holdsUnkept, isBeforeUpload, outgoing, take, unsent, type Outgoing } from './outbox/outbox.ts';
import { browserParts, type Parts } from './connection/parts.ts';
import { createReader } from './unread/reader.ts';
import { createReactor } from './timeline/reactor.ts';
import { discarded, ledTo, opened, openedAt, profileFailed, queued, retried, returnedTo } from './reduce.ts';
import { createReceipts } from './unread/receipts.ts';
import { createRetry } from './connection/retry.ts';
import { rightsOver, secondsToEdit } from './timeline/rights.ts';
import { createSender } from './outbox/sender.ts';
import { initialState, type State } from './state.ts';
import { createStore } from './store.ts';
import { createSync } from './connection/sync.ts';
import type { Typing } from './people/typing.ts';
import { isUnread } from './unread/unread.ts';
import type { Failure, Model } from './view.ts';
import { createViews, locate, stranded } from './views.ts';
import { japan } from './people/zone.ts';

export interface ModelOptions {
  readonly session: Session;
  /** The browser's unless said otherwise. */
  readonly parts?: Parts;
}

export function createModel({ session, parts = browserParts() }: ModelOptions): Model {
  const { clock, random } = parts;
  const { member, extensions } = session;
  const stopping = new AbortController();
  const stop = stopping.signal;

  const headers = member ? { [memberHeader]: String(member.user_id) } : {};
  const connection = connect({ realm: parts.site, headers, fetch: parts.fetch, clock });
  const views = createViews(session);
  const keptUnread = keptUnreadIn(parts.storage, member?.user_id);
  const initial = { ...initialState(member?.user_id), keptUnread: keptUnread.read() };
  const store = createStore(initial, views.read, (after, before) => {
    keeping.follow(after, before);
    if (after.keptUnread !== before.keptUnread) keptUnread.keep(after.keptUnread);
  });
  const retry = createRetry({ clock, random, stop, judge });
  const loader = createLoader({ connection, store, extensions, retry, directs: views.directs, stop });
  const knowsAgain = extensions.includes('client_message_id');
  const run = (conversation: ConversationKey) => sender.run(conversation);
  const keeping = keepingOf({ store, parts, memberId: member?.user_id, knowsAgain, run, stop });
  const sender = createSender({ connection, store, session, parts, retry, keeping, stop });
  const reactor = createReactor({ connection, store, judge, stop });
  const marker = createMarker({ connection, store, judge, stop });
  const reader = createReader({ connection, store, retry, stop });
  const sendsReceipts = () => views.settings(store.state()).send_read_receipts;
  const receipts = createReceipts({ connection, store, extensions, sends: sendsReceipts, clock, judge, stop });
  const arrivals = createArrivals();
  /** Fetched when somebody begins to write. */
  let typing: Promise<Typing> | undefined;

  function withTyping(act: (typing: Typing) => void): void {
    typing ??= import('./people/typing.ts').then(({ createTyping }) => createTyping({ connection, store, clock, judge, stop }));
    typing.then(act, (error: unknown) => {
      // Nobody needs it: the next who begins tries again.
      typing = undefined;
      parts.log('what tells who is writing could not be fetched', error);
    });
  }

  function hear(events: readonly ServerEvent[], before: State): void {
    arrivals.tell(events, before);
    if (typing || events.some(({ type }) => type === 'typing')) withTyping((there) => there.hear(events));
  }

  let attendance: Promise<Attendance> | undefined;
  const onHere = (active: boolean) => {
    // Where it cannot be fetched, `attend` says so and tries again.
    attendance?.then(
      (there) => there.heard(active),
      () => undefined,
    );
  };
  const sync = createSync({ connection, store, parts, extensions, loader, retry, onHere, streams: views.streams, hear, stop });
  const sleepOn = parts.onWake(sync.wake);

  /** Whatever call it is that the server refuses with 401: the member is signed out of all of them. */
  function judge(error: unknown): Failure {
    const failure = failureOf(error);
    if (failure.kind === 'signed-out') sync.signOut();
    return failure;
  }

  let later: Later | undefined;
  async function withLater<Done>(act: (later: Later) => Promise<Done>): Promise<Done | Failure> {
    if (!later) {
      const part = await import('./later.ts').catch(() => undefined);
      if (!part) return { kind: 'network' };
      later ??= part.createLater({ connection, store, parts, retry, judge, stop });
    }
    return act(later);
  }
  const zone = () => views.me(store.state())?.timezone || japan;

  function give(conversation: ConversationKey, sent: readonly Outgoing[]): void {
    if (sent.length === 0) return;
    store.update((state) => queued(state, sent));
    reader.resume(conversation);
    // What the member sends stands below the newest, which they have to see for that.
    if (store.state().timelines.get(conversation)?.foundNewest === false) toNewest(conversation);
    sender.run(conversation);
  }

  function unlessKept(conversation: ConversationKey, read: (conversation: ConversationKey) => void): void {
    const { keptUnread, unreading } = store.state();
    if (keptUnread !== conversation && !unreading.includes(conversation)) read(conversation);
  }

  function toNewest(conversation: ConversationKey): void {
    store.update((state) => ledTo(state, conversation, 'newest'));
    sync.fill();
  }

  async function attending(): Promise<Attendance> {
    const { createAttendance } = await import('./people/attendance.ts');
    // What was asked for and is not yet kept does not hold: the server would answer with nobody, and go on from there.
    const isShown = () => {
      const state = store.state();
      return state.settings.presence_enabled !== false && views.settings(state).presence_enabled !== false;
    };
    return createAttendance({ connection, store, sync, clock, isShown, judge, stop });
  }

  return {
    subscribe: store.subscribe,
    onArrival: arrivals.listen,
    polls: sync.leads,
    isUnread: (conversation, id) => isUnread(store.state(), conversation, id),

    connection: () => store.state().connection,
    settled: () => store.state().settled,
    me: () => views.me(store.state()),
    location: () => store.state().location,
    profileFailure: () => store.state().profileFailure,
    people: () => views.people(store.state()),
    member: (userId) => views.member(store.state(), userId),
    presence: (userId) => views.presence(store.state(), userId),
    status: (userId) => views.status(store.state(), userId),
    departments: () => store.state().departments,
    departmentsFailure: () => store.state().departmentsFailure,
    streams: () => views.streams(store.state()),
    away: () => views.away(store.state()),
    stream: (streamId) => views.stream(store.state(), streamId),
    directs: () => views.directs(store.state()),
    conversation: (conversation) => views.conversation(store.state(), conversation),
    lostStream: () => store.state().lostStream,
    current: () => store.state().current,
    totalUnread: () => views.totalUnread(store.state()),
    totalMentions: () => views.totalMentions(store.state()),
    totalCalls: () => views.totalCalls(store.state()),
    directUnread: () => views.directUnread(store.state()),
    flagged: () => store.state().flagged,
    alertWords: () => store.state().alertWords,
    mentionedUser: (name, id) => views.mentionedUser(store.state(), name, id),
    mentionedGroup: (name) => views.mentionedGroup(store.state(), name),
    timeline: (conversation) => views.timeline(store.state(), conversation),
    writers: (conversation) => views.writers(store.state(), conversation),
    message: (key) => views.message(store.state(), key),
    readCount: (messageId) => store.state().readCounts.get(messageId),
    settings: () => views.settings(store.state()),
    sendsReceipts,
    receiptsShown: () => store.state().receiptsShown,
    holdsUnkept: () => holdsUnkept(store.state().outbox),
    unsent: () => unsent(store.state().outbox),
    stranded: () => stranded(store.state()),
    gone: () => store.state().gone,
    session: () => session,

    start: sync.start,

    async stop() {
      stopping.abort();
      sleepOn();
      store.clear();
      arrivals.clear();
      await sync.ended();
    },

    signOut: sync.signOutAsTold,

    loadProfile() {
      withLater(async (there) => there.loadProfile()).then(
        (failure) => failure && store.update((state) => profileFailed(state, failure)),
      );
    },
    saveProfile: (draft) => withLater((there) => there.saveProfile(draft)),

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

    loadFlagged: (...asked) => withLater((there) => there.loadFlagged(...asked)),
    addAlertWord: (word) => withLater((there) => there.addAlertWord(word)),
    removeAlertWord: (word) => withLater((there) => there.removeAlertWord(word)),

    createGroup: (...asked) => withLater((there) => there.createGroup(...asked)),

    async keepStream(...asked) {
      const part = await import('./streams/streamKeeper.ts').catch(() => undefined);
      return part ? part.keep({ connection, store, parts, judge, stop }, ...asked) : { kind: 'network' };
    },

    streamOf: (department) => streamOfDepartment(department, store.state().subscriptions ?? new Map()),

    reloadDepartments: sync.reloadDepartments,

    loadOlder: loader.older,
    loadNewer: loader.newer,

    reload(conversation) {
      if (store.state().timelines.get(conversation)?.failure) loader.reload(conversation);
    },

    send(conversation, { text, file }) {
      const contents = [...(isBlank(text) ? [] : [text]), ...(file ? [file] : [])];
      give(
        conversation,
        contents.map((content) => outgoing(conversation, content, clock.now())),
      );
    },

    writes: (conversation, still) => {
      // Who has not begun has nothing to end.
      if (still || typing) withTyping(({ say }) => say(conversation, still));
    },

    retry(localKey) {
      const failed = take(store.state().outbox, localKey);
      if (failed?.state !== 'failed') return;
      store.update((state) => retried(state, localKey));
      retry.wake();
      sender.run(failed.conversation);
    },

    discard(localKey) {
      const row = take(store.state().outbox, localKey);
      if (!row || row.state === 'sending' || row.state === 'sent') return undefined;
      store.update((state) => discarded(state, localKey));
      return { text: row.text, file: row.file };
    },

    cancel(localKey) {
      const row = take(store.state().outbox, localKey);
      if (!row?.file || !isBeforeUpload(row)) return undefined;
      const { conversation, file } = row;
      store.update((state) => discarded(state, localKey));
      sender.breakOff(localKey);
      return () => give(conversation, [outgoing(conversation, file, clock.now())]);
    },

    async search(...asked) {
      // The panel that asks has brought it along.
      const { searchBy } = await import('./timeline/search.ts');
      return searchBy({ connection, extensions, zone, judge, stop })(...asked);
    },

    account: withLater,
    ask: (call) => withLater((there) => there.ask(call)),
    changeSettings: (change) => withLater((there) => there.changeSettings(change)),
    setStatus: (status) => withLater((there) => there.setStatus(status)),

    attend(attended) {
      attendance ??= attending();
      attendance
        .then((there) => there.attend(attended))
        .catch((error: unknown) => {
          // It is fetched again with the next movement. Until then nobody hears that the member is there.
          attendance = undefined;
          parts.log('who is there cannot be told', error);
        });
    },
    countEmojiUses: (emoji) => void withLater((there) => there.countEmojiUses(emoji)),

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

    edit: (...asked) => withLater((there) => there.edit(...asked)),
    remove: (...asked) => withLater((there) => there.remove(...asked)),
    history: (...asked) => withLater((there) => there.history(...asked)),
    toggleReaction: reactor.toggle,
    star: marker.star,
    unreadFrom: (...asked) => withLater((there) => there.unreadFrom(...asked)),
    nameOf: (userId) => store.state().users.get(userId)?.full_name,

    resumeReading: (conversation) => unlessKept(conversation, reader.resume),
    markRead: (conversation) => unlessKept(conversation, reader.markRead),
    markShown: (conversation, ...shown) => unlessKept(conversation, () => reader.markShown(conversation, ...shown)),

    fileAddress({ key, file }) {
      if (!file || typeof key === 'string') return undefined;
      return `${paths.storage}${encodeURIComponent(file.storedName)}?message=${key}`;
    },

    ownFile({ key, file }) {
      const { outbox, ownFiles } = store.state();
      return typeof key === 'string' ? take(outbox, key)?.file : file && ownFiles.get(file.storedName);
    },
  };
}
