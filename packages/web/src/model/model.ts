import type { ReadReceiptsShown } from '@engawa/protocol';
import type { Session } from '@engawa/protocol/product';
import type { Arrival } from './unread/arrivals.ts';
import type { ConversationKey } from './streams/conversation.ts';
import type { Failure } from './connection/failure.ts';
import type { Account } from './commandsOnDemand.ts';
import type { Readers } from './unread/receipts.ts';
import type { Rights } from './timeline/rights.ts';
import type { State } from './state.ts';
import type { MessageKey } from './timeline/message.ts';
import type { Attended, StatusView } from './people/presence.ts';
import type { Emoji } from './timeline/reactions.ts';
import type { Flag, FoundPage } from './unread/flaggedMessages.ts';
import type { HitPage, SearchPlace, SearchConditions } from './timeline/search.ts';
import type { Place, ReadingPlace } from './timeline/state.ts';
import type { ProductCall } from './connection/productCall.ts';
import type { ProfileDraft } from './people/ownProfile.ts';
import type { SettingsChange } from './people/state.ts';
import type { StreamSeen, StreamChange } from './streams/streamChanges.ts';
import type { Version } from './timeline/edit.ts';

/** The state of the client and every command that changes it. */
export interface Model {
  state(): State;
  subscribe(listener: () => void): () => void;
  /** Calls the listener after each change of the selected value; returns how to unsubscribe. */
  watch(select: (state: State) => unknown, listener: () => void): () => void;
  readonly session: Session;
  /** Called once per message that arrives while the model is connected, own messages included; returns how to unsubscribe. */
  onArrival(listener: (arrival: Arrival) => void): () => void;
  /** Whether this tab is the one that polls the server, for all tabs of the browser. */
  polls(): boolean;
  // Commands.
  /** Registers, loads streams and departments, opens the first stream (or the place), and then follows the server's events. */
  start(place?: Place): void;
  /** Deletes the event queue and removes every listener. */
  stop(): Promise<void>;
  /** Ends all calls because the session is no longer the member's; the screen stays. */
  signOut(): void;
  /** Loads the member's profile, again if it is loaded. */
  loadProfile(): void;
  /** Returns the failure, if any. */
  saveProfile(draft: ProfileDraft): Promise<Failure | undefined>;
  /** Opens a conversation at its newest messages. If it is open elsewhere, leads to the first unread message or the newest. */
  open(conversation: ConversationKey): void;
  /** Messages with a flag, newest first, optionally older than `before`. Starred ones include the member's own. */
  loadFlagged(flag: Flag, before: number | undefined): Promise<FoundPage | Failure>;
  /** Returns the failure, if any. */
  addAlertWord(word: string): Promise<Failure | undefined>;
  removeAlertWord(word: string): Promise<Failure | undefined>;
  /** Opens a conversation at a message and loads those around it if needed. The timeline's `destination` holds the result. */
  openAt(conversation: ConversationKey, messageId: number): void;
  /** Leads to where the member stopped reading in the open conversation, without marking anything. */
  readOn(conversation: ConversationKey, messageId: number): void;
  /** Opens a conversation where its reader left it, or like `open` if that message is gone. */
  returnTo(place: ReadingPlace): void;
  /** Leads the reader of an open conversation to its newest messages and loads them if needed. */
  toNewest(conversation: ConversationKey): void;
  /**
   * R2.7.2: creates a private stream with shared history for the member and these users. Returns its id once it can be opened,
   * or the failure.
   */
  createGroup(name: string, userIds: readonly number[], description?: string): Promise<number | Failure>;
  /** R2.11: returns the failure, if any. `seen`: the stream as an administrator sees it who is not subscribed. */
  changeStream(streamId: number, change: StreamChange, seen?: StreamSeen): Promise<Failure | undefined>;
  /** Retries at once. */
  reloadDepartments(): void;
  loadOlder(conversation: ConversationKey): void;
  loadNewer(conversation: ConversationKey): void;
  /** Repeats a failed load. */
  reload(conversation: ConversationKey): void;
  /** Text and file are two messages, text first (R2.13). Returns at once; the timeline shows their progress. */
  send(conversation: ConversationKey, draft: { readonly text: string; readonly file: File | undefined }): void;
  /** Reports to the other members that the member is typing, or (`still` false) has sent, cleared or left the text. */
  writes(conversation: ConversationKey, still: boolean): void;
  retry(localKey: string): void;
  /** Removes a message that could not be sent; returns its text and file. */
  discard(localKey: string): { readonly text: string; readonly file: File | undefined } | undefined;
  /**
   * Removes a file that is being sent and aborts its upload. Returns how to send it after all; undefined if its message is being
   * created already.
   */
  cancel(localKey: string): (() => void) | undefined;
  /**
   * R2.9.1: one bounded step of a search. It may find few messages and returns where to continue. Ignore the result after
   * `signal` was aborted.
   */
  search(sought: SearchConditions, place: SearchPlace, signal: AbortSignal): Promise<HitPage | Failure>;
  /** The actions that the member may use on a message now; none while it is being sent. */
  rights(key: MessageKey): Rights;
  /** Seconds in which the member may still edit their message; undefined if there is no limit or it is unknown. */
  secondsToEdit(messageId: number): number | undefined;
  /**
   * R4.9: edits a message for everyone. Returns the failure, if any. If the message no longer says `before`, it stays and its
   * current text is shown.
   */
  edit(messageId: number, content: string, before: string): Promise<Failure | undefined>;
  /** R2.15: deletes a message for everyone. Returns the failure, if any. */
  remove(messageId: number): Promise<Failure | undefined>;
  /** R4.9: the versions of a message, newest first. */
  history(messageId: number): Promise<readonly Version[] | Failure>;
  /** Adds or removes the member's reaction. Shown at once; returns why it was reverted, if so. */
  toggleReaction(messageId: number, emoji: Emoji): Promise<Failure | undefined>;
  /** Adds or removes the member's star. Shown at once; returns why it was reverted, if so. */
  star(messageId: number, starred: boolean): Promise<Failure | undefined>;
  /**
   * Marks the message and all later ones as unread on all of the member's devices, until the conversation is left or written in.
   * Returns the failure, if any.
   */
  unreadFrom(conversation: ConversationKey, messageId: number): Promise<Failure | undefined>;
  /** The reader has reached the newest messages of the open conversation: the window has the focus, the list is at its end. */
  resumeReading(conversation: ConversationKey): void;
  /** The reader sees the newest messages of the open conversation arrive. */
  markRead(conversation: ConversationKey): void;
  /** The reader has seen these messages of the open conversation on the way to the newest. */
  markShown(conversation: ConversationKey, messageIds: readonly number[]): void;
  /** These messages with shown receipts are on a screen that somebody looks at: their readers are counted. */
  watchReaders(messageIds: readonly number[]): void;
  /** The readers of a message, or the failure. */
  readersOf(messageId: number): Promise<Readers | Failure>;
  /** Reports whether the member is active in this tab. */
  attend(attended: Attended): void;
  /** Shown at once and reverted if it is refused. Returns the failure, if any. */
  setStatus(status: StatusView): Promise<Failure | undefined>;
  /** Shown at once and reverted if it is refused. Returns the failure, if any. */
  changeSettings(change: SettingsChange): Promise<Failure | undefined>;
  /** Sets for the organisation which messages show receipts. Returns the failure, if any. */
  showReceipts(shown: ReadReceiptsShown): Promise<Failure | undefined>;
  /** Counts emoji that the member has used, in this order, for all of their devices. */
  countEmojiUses(emoji: readonly string[]): void;
  /** Runs `act` once its code is loaded. Returns its result, or why the code could not be fetched. */
  account<Done>(act: (account: Account) => Promise<Done>): Promise<Done | Failure>;
  /** Calls the product's API once, without retries. Returns the answer or the failure. */
  ask<Answer>(call: ProductCall<Answer>): Promise<{ readonly answer: Answer } | Failure>;
}
