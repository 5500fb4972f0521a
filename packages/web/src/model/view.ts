/** What the screens see of the model: values to read by key, and commands. Nothing here knows React. */
import type { FileMessage, ReadReceiptsShown, UserSettings } from '@engawa/protocol';
import type { ApiKey } from '@engawa/protocol/accounts';
import type { AvatarChoice, DepartmentNode, OwnSession, Session } from '@engawa/protocol/product';
import type { ProductCall } from './connection/asking.ts';
import type { ConversationKey, DirectKey } from './timeline/conversation.ts';
import type { NotificationLevel } from './streams/notifying.ts';

/** Why something could not be done, in the words of the dictionary's `failures`. */
export type Failure =
  | { readonly kind: 'network' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'server' }
  /** The server can keep nothing: its disk is full, or not to be written. */
  | { readonly kind: 'storage' }
  /** For now another program, a backup for one, holds what the server keeps. */
  | { readonly kind: 'locked' }
  /** It is decided, and seen once the server can keep it. */
  | { readonly kind: 'to-be-completed' }
  /** The server still reads what was said, for the search. */
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'file-too-large'; readonly maxBytes: number }
  /** The browser cannot read the file: since it was chosen it was saved again, moved or deleted, or its place is out of reach. */
  | { readonly kind: 'file-gone' }
  /** More messages than the product goes through at once; nothing has changed. */
  | { readonly kind: 'too-far'; readonly most: number }
  /** Some of it has been done. */
  | { readonly kind: 'half-done'; readonly because: Failure }
  /** These members do not want to be added by the member. */
  | { readonly kind: 'not-wanted'; readonly userIds: readonly number[] }
  /** `streamId` is the stream that has the name, where it is one of the member's own. */
  | { readonly kind: 'name-taken'; readonly streamId: number | undefined };

/**
 * `starting` until the first register; `reconnecting` while the network or the server is away; `broken` after a mistake
 * of ours, when nothing new is heard until the page is loaded again.
 */
export type Connection = 'starting' | 'online' | 'reconnecting' | 'signed-out' | 'broken';

export interface Me {
  readonly userId: number;
  readonly email: string;
  readonly fullName: string;
  readonly avatarUrl: string | undefined;
  /** Whether the member may choose for the whole organisation. */
  readonly isAdministrator: boolean;
  readonly isGuest: boolean;
  /** Of the IANA time zone database; empty where they never said. */
  readonly timezone: string;
}

/** A member of the organisation as the others see them. */
export interface Person {
  /** Who runs the organisation. */
  readonly standing: 'owner' | 'administrator' | 'member';
  readonly userId: number;
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl: string | undefined;
  /** Of the name, in kana; empty where nobody knows it. */
  readonly reading: string;
  /** Their post; empty where nobody knows it. */
  readonly title: string;
}

/** Somebody as their card shows them; also who has left. */
export interface MemberView extends Person {
  readonly isActive: boolean;
  /** Of the IANA time zone database; empty where they never said. */
  readonly timezone: string;
  readonly departments: readonly MemberDepartment[];
}

export interface MemberDepartment {
  readonly department: DepartmentNode;
  /** Beside their main one. */
  readonly isConcurrent: boolean;
}

/** What the member chooses from now on. What does not stand in it stays. */
export type SettingsChange = Omit<UserSettings, 'frequent_emoji' | 'color_scheme'> & {
  readonly color_scheme?: 1 | 2 | 3 | undefined;
  /** Of the IANA time zone database. It is shown once the event tells of it. */
  readonly timezone?: string | undefined;
};

/** Whether somebody is there. */
export interface Presence {
  /** `idle`: their screen is there, and no hand has moved for a while. */
  readonly kind: 'online' | 'idle' | 'offline';
  /** Unix seconds; of who is offline, where it is known. */
  readonly lastSeen: number | undefined;
}

/** Whether somebody is at a tab: a hand has moved, it is there to be seen, or neither. */
export type Attended = 'active' | 'idle' | 'hidden';

/** What somebody says of themselves for now. */
export interface StatusView {
  /** Empty where busy says it all. */
  readonly text: string;
  readonly busy: boolean;
  /** Unix seconds; undefined where no end was named. */
  readonly until: number | undefined;
}

/** What a member says of themselves from now on. */
export interface ProfileDraft {
  readonly name: string;
  readonly email: string;
  readonly location: string;
  /** An image of their own, or what becomes of the picture without one. */
  readonly picture: AvatarChoice | Blob;
}

export interface Preview {
  readonly kind: 'text' | 'file' | 'deleted';
  readonly senderFullName: string;
  /** The text, or the file's name; empty when deleted. */
  readonly text: string;
}

/** What streams and direct conversations have in common. */
interface Conversation {
  readonly name: string;
  readonly profile: string | undefined;
  /** Everyone who takes part, the member among them. */
  readonly subscribers: readonly number[];
  /** What is muted does not count in the total. */
  readonly status: 'active' | 'muted';
  readonly unReadCount: number;
  /** How many of them call the member. */
  readonly mentionCount: number;
  readonly message: Preview | undefined;
  /** Unix seconds of the newest message. */
  readonly time: number | undefined;
}

/** R3.1 */
export interface StreamView extends Conversation {
  readonly kind: 'stream';
  readonly key: number;
  readonly streamId: number;
  readonly description: string;
  /** The member has put it away, out of their list; nor does that count. */
  readonly isAway: boolean;
  /** It stands above the others in the list. */
  readonly isPinned: boolean;
  readonly notifies: NotificationLevel;
  /** Who made it, where that is known. */
  readonly creatorId: number | undefined;
}

/** R1.8: its name is that of the others, and so is its picture. */
export interface DirectView extends Conversation {
  readonly kind: 'direct';
  readonly key: DirectKey;
  /** Those with whom the member talks; in notes to themselves the member alone. */
  readonly others: readonly Person[];
  /** Those of them who are no longer there: nothing more can be sent. */
  readonly gone: readonly Person[];
  readonly isToSelf: boolean;
}

export type ConversationView = StreamView | DirectView;

/** A message that has just come, and that no page has brought. */
export interface Arrival {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly senderId: number;
  readonly senderFullName: string;
  /** As typed. */
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** As the server gives them: `read`, `mentioned`, `wildcard_mentioned`, `has_alert_word`, … */
  readonly flags: readonly string[];
  /** It came before and calls the member since it was corrected. */
  readonly corrected: boolean;
}

/** What is to be done to a stream, or to the member's own subscription to it. */
export type StreamWish =
  /** Properties of the subscription, as the chat API names them. */
  | { readonly kind: 'set'; readonly settings: Readonly<Record<string, boolean>> }
  | { readonly kind: 'change'; readonly name: string; readonly description: string }
  | { readonly kind: 'picture'; readonly image: Blob | 'none' }
  | { readonly kind: 'invite' | 'remove'; readonly userIds: readonly number[] }
  | { readonly kind: 'leave' | 'delete' };

/** A stream as far as it must be known to change it. */
export interface StreamSeen {
  readonly name: string;
  readonly description: string;
}

/** A stream that was the member's: closed for everyone, or not theirs any more. */
export interface LostStream {
  readonly streamId: number;
  readonly name: string;
  readonly how: 'closed' | 'left';
}

/** Whom a mention means. */
export interface Mentioned {
  /** As they are called now. */
  readonly name: string;
  /** Undefined for a group. */
  readonly userId: number | undefined;
  /** Whether the member is among them. */
  readonly isMe: boolean;
}

/** Why messages are gathered for a member: they call them, hold one of their alert words, or bear their star. */
export type Flag = 'mentioned' | 'alerted' | 'starred';

/** A message of whichever conversation, as a list of them shows it. */
export interface FoundMessage {
  readonly messageId: number;
  readonly conversation: ConversationKey;
  readonly conversationName: string;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  /** The text, or the file's name. */
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface FoundPage {
  /** The newest first. */
  readonly messages: readonly FoundMessage[];
  /** There are no older ones. */
  readonly isAll: boolean;
}

/** A message's number, or the local mark of one that is still on its way. */
export type MessageKey = number | string;

/** An emoji as reactions name it: its name, and by code and type which one it is. */
export interface Emoji {
  readonly name: string;
  readonly code: string;
  /** `unicode_emoji`, or one that the organisation has made. */
  readonly type: string;
}

/** All who react to a message with the same emoji. */
export interface ReactionView {
  readonly key: string;
  readonly emoji: Emoji;
  /** The emoji itself; in colons the name of one that is no character. */
  readonly shown: string;
  /** In the order in which they reacted. */
  readonly userIds: readonly number[];
  readonly mine: boolean;
}

/** What the member may do with a message now. */
export interface Rights {
  readonly edit: boolean;
  readonly delete: boolean;
}

/** What a message has said since a time. */
export interface Version {
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** R3.2 */
export interface MessageView {
  readonly key: MessageKey;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  /** As typed; empty when deleted. */
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Shown where it is not the screens' own `stream events`. */
  readonly topic: string;
  readonly align: 'left' | 'right';
  readonly deleted: boolean;
  readonly edited: boolean;
  /** Whether it calls the member, or holds one of their alert words. */
  readonly called: 'mention' | 'alert' | undefined;
  readonly starred: boolean;
  readonly reactions: readonly ReactionView[];
  readonly msgType: 'text' | 'file';
  readonly file: FileMessage | undefined;
  /** `held`: behind one that could not be sent. */
  readonly state: 'sent' | 'sending' | 'held' | 'failed';
  /** 0 to 1 while a file is on its way. */
  readonly progress: number | undefined;
  readonly failure: Failure | undefined;
}

/** User ids by how they stand to a message. */
export interface Readers {
  readonly read: readonly number[];
  /** Undefined, like those who withhold it, where the server does not tell them apart. */
  readonly unread: readonly number[] | undefined;
  /** They do not say what they read. */
  readonly withheld: readonly number[] | undefined;
}

/** Where somebody wants to begin. */
export interface Place {
  readonly conversation: ConversationKey;
  /** Where in it; its newest messages unless said otherwise. */
  readonly messageId?: number | undefined;
}

/** Where a reader has left a conversation: at a message, which stood so many pixels below the upper edge of the window. */
export interface ReadingPlace {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly top: number;
}

/** Where the reader asked to be taken; another object each time that they ask. */
export interface Destination {
  readonly to: number | 'newest';
  /** `gone`: the message is not there, or the member may not read it. */
  readonly state: 'sought' | 'found' | 'gone';
  /** It is where reading goes on, and not what somebody looked for. */
  readonly readsOn: boolean;
  /** Where they come back to what they have left: so many pixels below the upper edge of the window. */
  readonly top?: number | undefined;
}

/** What is being loaded, or could not be: a page on either side, or that of the destination. */
export type Loading = 'older' | 'newer' | 'destination';

/** The messages of a conversation as they stand under each other, oldest first, what is on its way last. */
export interface Timeline {
  readonly keys: readonly MessageKey[];
  /** What the rows of messages are known by that were sent from here: the keys that they had before. */
  readonly sentAs: ReadonlyMap<MessageKey, string>;
  /** `failed` only when nothing at all could be loaded. */
  readonly status: 'loading' | 'ready' | 'failed';
  readonly failure: Failure | undefined;
  readonly loading: Loading | undefined;
  /** What it was that failed. */
  readonly failed: Loading | undefined;
  /** The first message of the conversation is in `keys`. */
  readonly foundOldest: boolean;
  /** So is the newest. Where it is not, what arrives is not in `keys` either, and nothing counts as read. */
  readonly foundNewest: boolean;
  readonly destination: Destination | undefined;
  /** Where reading began: the divider stands above it, and stays until the conversation is left. */
  readonly firstUnread: number | undefined;
}

/** What is searched for: messages that fulfil all of it. */
export interface Sought {
  /** Words, told apart by blanks, or in quotation marks with them; empty where the others alone tell. */
  readonly query: string;
  /** Undefined: in all of mine. */
  readonly conversation: ConversationKey | undefined;
  readonly senderId: number | undefined;
  /** Days in the member's time zone, as `2026-11-20`, both included, in either order. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly hasFile: boolean;
}

/** A message that was found. */
export interface Hit {
  readonly messageId: number;
  readonly conversation: ConversationKey;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  /** As typed. */
  readonly content: string;
  readonly topic: string;
  readonly file: FileMessage | undefined;
}

export interface HitPage {
  /** The newest first. */
  readonly hits: readonly Hit[];
  /** The message before which to go on; undefined where there is no more. */
  readonly next: number | undefined;
}

export interface SearchPlace {
  /** Only what was said before this message; undefined: from the newest on. */
  readonly before: number | undefined;
  readonly most: number;
}

/** What a listener hears changes of. */
export type Key =
  | 'connection'
  | 'settled'
  | 'me'
  | 'location'
  | 'profileFailure'
  | 'people'
  | 'departments'
  | 'departmentsFailure'
  | 'streams'
  | 'directs'
  | 'away'
  | 'current'
  | 'totalUnread'
  | 'totalMentions'
  | 'totalCalls'
  | 'directUnread'
  | 'flagged'
  | 'alertWords'
  | `member:${number}`
  | `presence:${number}`
  | `status:${number}`
  | `user:${number | ''}:${string}`
  | `group:${string}`
  | 'settings'
  | 'sendsReceipts'
  | 'receiptsShown'
  | 'holdsUnkept'
  | 'unsent'
  | 'stranded'
  | 'gone'
  | `readCount:${number}`
  | `conversation:${ConversationKey}`
  | `timeline:${ConversationKey}`
  | `writers:${ConversationKey}`
  | `message:${MessageKey}`;

/** How the member is signed in, and by what. */
export interface Account {
  /**
   * Ends the session of this browser, and throws away what is not sent. Answers why nobody knows that it is done: then all of
   * it stays. Else the page has to be opened anew.
   */
  signOut(): Promise<Failure | undefined>;
  /** Where the member is signed in, or why nobody can say. */
  sessions(): Promise<readonly OwnSession[] | Failure>;
  /** Signs them out there, or everywhere but here. Answers why it could not be done. */
  endSessions(id: string | undefined): Promise<Failure | undefined>;
  /** The keys of their programs, the newest first, or why nobody can say. */
  keys(): Promise<readonly ApiKey[] | Failure>;
  /** One of them, or all. Answers why it could not be done. */
  endKeys(id: number | undefined): Promise<Failure | undefined>;
  /** Their other sessions and all their keys end. Answers why it could not be done: `AUTHENTICATION_FAILED` where `current` is wrong. */
  changePassword(current: string, password: string): Promise<Failure | undefined>;
}

export interface Model {
  /** Called after each change of what the key names; returns how to stop. */
  subscribe(key: Key, listener: () => void): () => void;
  /** Called once for each message that comes while the model keeps up, whoever sent it; returns how to stop. */
  onArrival(listener: (arrival: Arrival) => void): () => void;
  /** Whether it is this tab, of all that the browser has open, that asks the server for news and speaks for them. */
  polls(): boolean;
  /** Whether the member has not read it yet; nothing that is gone is unread. */
  isUnread(conversation: ConversationKey, messageId: number): boolean;

  // Reading. Each returns the same object until what it names has changed.
  connection(): Connection;
  /** Whether what the member came for has been shown: what nobody has asked for yet is fetched from then on. */
  settled(): boolean;
  me(): Me | undefined;
  /** Where the member says that they are; empty where they never said, undefined until it is loaded. */
  location(): string | undefined;
  /** Why it is not there yet. */
  profileFailure(): Failure | undefined;
  /** Everyone who is active, by reading; by name until the directory is there. */
  people(): readonly Person[];
  member(userId: number): MemberView | undefined;
  /** Undefined where nobody says. */
  presence(userId: number): Presence | undefined;
  /** Undefined where they say nothing. */
  status(userId: number): StatusView | undefined;
  departments(): readonly DepartmentNode[] | undefined;
  /** Why they are not there yet. */
  departmentsFailure(): Failure | undefined;
  /** Stream ids, the pinned first, then the one with the newest message, those that were put away last. */
  streams(): readonly number[] | undefined;
  /** Those of them that the member has put away, in the same order. */
  away(): readonly number[];
  stream(streamId: number): StreamView | undefined;
  /** The one that went last, of those that were the member's. */
  lostStream(): LostStream | undefined;
  /** R1.8: direct conversations, the one with the newest message first. */
  directs(): readonly DirectKey[];
  /** Undefined also for one that the member may not open. */
  conversation(conversation: ConversationKey): ConversationView | undefined;
  /** The conversation that is open. */
  current(): ConversationKey | undefined;
  totalUnread(): number;
  /** In all conversations, also in those that are muted. */
  totalMentions(): number;
  /** Those in what is not muted or put away, and whatever is unread in direct conversations: all of that is for the member. */
  totalCalls(): number;
  /** What is unread in direct conversations, which `totalUnread` counts as well. */
  directUnread(): number;
  /** Another object whenever other messages are meant for the member. */
  flagged(): unknown;
  /** As the member wrote them, in their order. */
  alertWords(): readonly string[];
  /** Whom `@**name**` or `@**name|id**` means; undefined where there is nobody. */
  mentionedUser(name: string, id: number | undefined): Mentioned | undefined;
  /** The same of `@*name*`. */
  mentionedGroup(name: string): Mentioned | undefined;
  timeline(conversation: ConversationKey): Timeline | undefined;
  /** R2.20.2: who is writing there, beside the member: user ids in the order in which they began. */
  writers(conversation: ConversationKey): readonly number[];
  message(key: MessageKey): MessageView | undefined;
  /** How many have read a message; undefined until it is known. */
  readCount(messageId: number): number | undefined;
  /** What the member has chosen; what is not in it the server does not keep. */
  settings(): UserSettings;
  /** Whether others see what the member has read; undefined where nobody says. */
  sendsReceipts(): boolean | undefined;
  /** Of which messages the organisation shows who has read them. */
  receiptsShown(): ReadReceiptsShown;
  /** Whether what was sent would be lost with the page: what is not on the disk yet, or cannot be kept there. */
  holdsUnkept(): boolean;
  /** How many messages, files among them, wait to be sent, are under way, or could not be sent. */
  unsent(): number;
  /** The first message that could not be sent and stands in no list, because the member has no such conversation any more. */
  stranded(): string | undefined;
  /** Messages that were deleted while the page was open, the newest of them; another object whenever there are more. */
  gone(): ReadonlySet<number>;
  session(): Session;

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
  /** R2.5: the stream of a department that the member may read, or undefined. */
  streamOf(department: DepartmentNode): number | undefined;
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
  /** What a member is called, whether or not they are still active. */
  nameOf(userId: number): string | undefined;
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
  /** Where a file message's bytes are. */
  fileAddress(message: Pick<MessageView, 'key' | 'file'>): string | undefined;
  /** The file itself, where this page has sent it. */
  ownFile(message: MessageView): File | undefined;
}
