import { connect } from '@engawa/client';
import type { ServerEvent, ReadReceiptsShown } from '@engawa/protocol';
import { memberHeader, type Session } from '@engawa/protocol/product';
import { isBlank } from './outbox/blank.ts';
import { createArrivals, type Arrival } from './unread/arrivals.ts';
import type { Attendance } from './people/attendance.ts';
import type { ConversationKey } from './streams/conversation.ts';
import { failureOf, type Failure } from './connection/failure.ts';
import { keptUnreadIn } from './unread/keptUnread.ts';
import type { Later, Account } from './later.ts';
import { keepingOf } from './outbox/keeping.ts';
import { createLoader } from './timeline/loader.ts';
import { createMarker } from './timeline/stars.ts';
import { isBeforeUpload, outgoing, take, type Outgoing } from './outbox/outbox.ts';
import { browserParts, type Parts } from './environment.ts';
import { createReader } from './timeline/markRead.ts';
import { createReactor } from './timeline/toggleReaction.ts';
import { discarded, queued, retried, outboxAfterPage } from './outbox/changes.ts';
import { profileFailed } from './people/changes.ts';
import { createReceipts, type Readers } from './unread/receipts.ts';
import { createRetry } from './connection/retry.ts';
import { rightsOver, secondsToEdit, type Rights } from './timeline/rights.ts';
import { createSender } from './outbox/sender.ts';
import { initialState, type State } from './state.ts';
import { createStore } from './store.ts';
import { createSync } from './sync/sync.ts';
import type { Typing } from './timeline/typing.ts';
import { locate, type MessageKey } from './timeline/message.ts';
import { japan } from './people/zone.ts';
import type { Attended, StatusView } from './people/presence.ts';
import type { Emoji } from './timeline/reactions.ts';
import type { Flag, FoundPage } from './unread/flaggedMessages.ts';
import type { HitPage, SearchPlace, Sought } from './timeline/search.ts';
import type { Place, ReadingPlace } from './timeline/state.ts';
import type { ProductCall } from './connection/productCall.ts';
import type { ProfileDraft } from './people/ownProfile.ts';
import type { SettingsChange } from './people/state.ts';
import type { StreamSeen, StreamWish } from './streams/streamChanges.ts';
import type { Version } from './timeline/edit.ts';
import { selectDirectKeys, selectStreamIds } from './conversations/selectors.ts';
import { selectMe, selectSendsReceipts, selectSettings } from './people/selectors.ts';
import type { Page } from './timeline/timeline.ts';
import { ledTo, opened, openedAt, pageArrived, returnedTo } from './timeline/changes.ts';

export interface Model {
  state(): State;
  /** Calls the listener after each change of the state; returns how to unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Calls the listener after each change of the selected value; returns how to unsubscribe. */
  watch(select: (state: State) => unknown, listener: () => void): () => void;
  readonly session: Session;
  /** Called once for each message that comes while the model keeps up, whoever sent it; returns how to stop. */
  onArrival(listener: (arrival: Arrival) => void): () => void;
  /** Whether it is this tab, of all that the browser has open, that asks the server for news and speaks for them. */
  polls(): boolean;
  // Commands.
  /** Registers, loads streams and departments, opens the first stream (or the place), and keeps up from then on. */
  start(place?: Place): void;
  /** Lets go of the queue and every listener. */
  stop(): Promise<void>;
  /** The browser's session is no longer the member's: nothing more is asked, and what is on the screen stays. */
  signOut(): void;
  /** Asks what the member says of themselves: again, when it was asked before. */
  loadProfile(): void;
  /** Answers why it could not be saved. */
  saveProfile(draft: ProfileDraft): Promise<Failure | undefined>;
  /** Opens a conversation at its newest messages; where it is open at another one, it goes to them, or to the first unread. */
  open(conversation: ConversationKey): void;
  /** Messages that are gathered for the member, the newest first, or those older than `before`. Of their own the starred. */
  loadFlagged(flag: Flag, before: number | undefined): Promise<FoundPage | Failure>;
  /** Answers why it could not be done. */
  addAlertWord(word: string): Promise<Failure | undefined>;
  removeAlertWord(word: string): Promise<Failure | undefined>;
  /**
   * Opens a conversation at a message, which is loaded with those around it where it is not there yet. The timeline's
   * `destination` says how that went.
   */
  openAt(conversation: ConversationKey, messageId: number): void;
  /** The same, of the open conversation, where the member has not read on: nothing is marked. */
  readOn(conversation: ConversationKey, messageId: number): void;
  /** Opens a conversation where its reader has left it, or as `open` where that is gone. */
  returnTo(place: ReadingPlace): void;
  /** Leads the reader of an open conversation to its newest messages, which are loaded where they are not there. */
  toNewest(conversation: ConversationKey): void;
  /**
   * R2.7.2: makes a private stream with shared history, of the member and these users. Answers its number once it can
   * be opened, or why there is none.
   */
  createGroup(name: string, userIds: readonly number[], description?: string): Promise<number | Failure>;
  /** R2.11: answers why it could not be done. `seen`: how an administrator sees one that they may not be in. */
  keepStream(streamId: number, wish: StreamWish, seen?: StreamSeen): Promise<Failure | undefined>;
  /** Tries at once again to load them. */
  reloadDepartments(): void;
  loadOlder(conversation: ConversationKey): void;
  loadNewer(conversation: ConversationKey): void;
  /** Loads again what failed. */
  reload(conversation: ConversationKey): void;
  /** Text and file go as two messages, text first (R2.13). Returns at once; the timeline shows how they fare. */
  send(conversation: ConversationKey, draft: { readonly text: string; readonly file: File | undefined }): void;
  /** The member goes on writing there, or has sent, emptied or left what they wrote: the others are told. */
  writes(conversation: ConversationKey, still: boolean): void;
  retry(localKey: string): void;
  /** Takes back what could not be sent; returns its text and file so that nothing is lost. */
  discard(localKey: string): { readonly text: string; readonly file: File | undefined } | undefined;
  /**
   * Takes back a file on its way, whose upload is broken off. Returns how to send it after all; undefined when there is
   * nothing to take back any more, because its message is being made.
   */
  cancel(localKey: string): (() => void) | undefined;
  /**
   * R2.9.1: a bounded step of a search, which may find fewer than there are and says then where to go on. Answers why
   * nothing could be found out; what is answered after `signal` gave up means nothing.
   */
  search(sought: Sought, place: SearchPlace, signal: AbortSignal): Promise<HitPage | Failure>;
  /** Which of its tools a message has for the member now; none while it is on its way. */
  rights(key: MessageKey): Rights;
  /** For how long they may still correct their own; undefined where that has no end, or is not known. */
  secondsToEdit(messageId: number): number | undefined;
  /**
   * R4.9: for everyone. Answers why it was not corrected; then nothing has changed, unless somebody else has changed it:
   * what no longer says `before` is left as it is, and is shown as it is now.
   */
  edit(messageId: number, content: string, before: string): Promise<Failure | undefined>;
  /** R2.15: for everyone. Answers why it was not deleted. */
  remove(messageId: number): Promise<Failure | undefined>;
  /** R4.9: what a message has said, the newest first. */
  history(messageId: number): Promise<readonly Version[] | Failure>;
  /** The member reacts with the emoji, or no longer does. Shown at once; answers why it was taken back. */
  toggleReaction(messageId: number, emoji: Emoji): Promise<Failure | undefined>;
  /** The same for the member's star on a message. */
  star(messageId: number, starred: boolean): Promise<Failure | undefined>;
  /**
   * The message and what follows it in its conversation are unread again, on all of the member's devices. They stay so until
   * the conversation is left or written in, though the member sees them. Answers why they are not.
   */
  unreadFrom(conversation: ConversationKey, messageId: number): Promise<Failure | undefined>;
  /** The reader has come to the newest messages of the current conversation: window focused, list at the end. */
  resumeReading(conversation: ConversationKey): void;
  /** The reader sees the newest messages of the current conversation, as they come. */
  markRead(conversation: ConversationKey): void;
  /** The reader has seen these messages of the current conversation, on their way to the newest. */
  markShown(conversation: ConversationKey, messageIds: readonly number[]): void;
  /** These messages, whose readers are shown, are on the screen now, and somebody looks: they are counted. */
  watchReaders(messageIds: readonly number[]): void;
  /** Who has read it, or why nobody can say. */
  readersOf(messageId: number): Promise<Readers | Failure>;
  /** Somebody has come to this tab, or left it. */
  attend(attended: Attended): void;
  /** Shown at once, and taken back where it is refused: answers why. */
  setStatus(status: StatusView): Promise<Failure | undefined>;
  /** The same of settings. */
  changeSettings(change: SettingsChange): Promise<Failure | undefined>;
  /** Says for the organisation of which messages receipts are shown. Answers why it could not be said. */
  showReceipts(shown: ReadReceiptsShown): Promise<Failure | undefined>;
  /** The member has used these, in this order: the server counts, for all of their devices. */
  countEmojiUses(emoji: readonly string[]): void;
  /** Answers as the act does, or why what it needs could not be fetched. */
  account<Done>(act: (account: Account) => Promise<Done>): Promise<Done | Failure>;
  /** Asks the product itself, once. Answers what it says, or why it does not. */
  ask<Answer>(call: ProductCall<Answer>): Promise<{ readonly answer: Answer } | Failure>;
}

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
  const keptUnread = keptUnreadIn(parts.storage, member?.user_id);
  const initial = { ...initialState(session), keptUnread: keptUnread.read() };
  const store = createStore(initial);
  let last = store.state();
  store.subscribe(() => {
    const before = last;
    const after = store.state();
    last = after;
    keeping.follow(after, before);
    if (after.keptUnread !== before.keptUnread) keptUnread.keep(after.keptUnread);
  });
  const retry = createRetry({ clock, random, stop, judge });
  const show = (conversation: ConversationKey, page: Page) =>
    store.update((state) => outboxAfterPage(pageArrived(state, conversation, page), conversation));
  const loader = createLoader({ connection, store, extensions, retry, show, directs: selectDirectKeys, stop });
  const knowsAgain = extensions.includes('client_message_id');
  const run = (conversation: ConversationKey) => sender.run(conversation);
  const keeping = keepingOf({ store, parts, memberId: member?.user_id, knowsAgain, run, stop });
  const sender = createSender({ connection, store, session, parts, retry, keeping, stop });
  const reactor = createReactor({ connection, store, judge, stop });
  const marker = createMarker({ connection, store, judge, stop });
  const reader = createReader({ connection, store, retry, stop });
  const sendsReceipts = () => selectSendsReceipts(store.state());
  const receipts = createReceipts({ connection, store, extensions, sends: sendsReceipts, clock, judge, stop });
  const arrivals = createArrivals();
  /** Fetched when somebody begins to write. */
  let typing: Promise<Typing> | undefined;

  function withTyping(act: (typing: Typing) => void): void {
    typing ??= import('./timeline/typing.ts').then(({ createTyping }) => createTyping({ connection, store, clock, judge, stop }));
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
  const sync = createSync({ connection, store, parts, extensions, loader, retry, onHere, streams: selectStreamIds, hear, stop });
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
  const zone = () => selectMe(store.state())?.timezone || japan;

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
      const part = await import('./streams/streamChanges.ts').catch(() => undefined);
      return part ? part.keep({ connection, store, parts, judge, stop }, ...asked) : { kind: 'network' };
    },

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

    resumeReading: (conversation) => unlessKept(conversation, reader.resume),
    markRead: (conversation) => unlessKept(conversation, reader.markRead),
    markShown: (conversation, ...shown) => unlessKept(conversation, () => reader.markShown(conversation, ...shown)),
  };
}
