import { typingMilliseconds, type Message } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import type { Limits } from './rights.ts';
import type { TimelineState } from './timeline.ts';

/** A conversation to open. */
export interface Place {
  readonly conversation: ConversationKey;
  /** The message to open it at; its newest messages if undefined. */
  readonly messageId?: number | undefined;
}

/** Where the reader left a conversation: at a message that was `top` pixels below the upper edge of the list. */
export interface ReadingPlace {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly top: number;
}

export interface TimelinesState {
  readonly current: ConversationKey | undefined;
  readonly timelines: ReadonlyMap<ConversationKey, TimelineState>;
  /** The newest message of each conversation: null if it has none, no entry if it has not been fetched yet. */
  readonly newest: ReadonlyMap<ConversationKey, Message | null>;
  /** The highest message id ever seen: a message that is sent later gets a higher one. */
  readonly maxMessageId: number;
  readonly limits: Limits;
  /** Ids of messages that were deleted since the page was opened, bounded. */
  readonly gone: ReadonlySet<number>;
  /** Members who are typing, the member excepted: user ids in the order in which they began. */
  readonly typing: ReadonlyMap<ConversationKey, readonly number[]>;
  /** Milliseconds after which typing is reported again, reported as stopped, and considered over. */
  readonly typingTimes: Readonly<Record<'resent' | 'idle' | 'expires', number>>;
}

export const initialTimelines: TimelinesState = {
  current: undefined,
  timelines: new Map(),
  newest: new Map(),
  maxMessageId: 0,
  limits: { edit: null, delete: null },
  gone: new Set(),
  typing: new Map(),
  typingTimes: typingMilliseconds,
};

/** The open conversation. */
export const selectCurrent = ({ current }: TimelinesState) => current;
/** Messages that were deleted while the page was open; another object whenever there are more. */
export const selectDeletedIds = ({ gone }: TimelinesState) => gone;

const nobody: readonly number[] = [];

/** R2.20.2: the other members who are typing: user ids in the order in which they began. */
export const selectTypingMembers = ({ typing }: TimelinesState, conversation: ConversationKey) =>
  typing.get(conversation) ?? nobody;
