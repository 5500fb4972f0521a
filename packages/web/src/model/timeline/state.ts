import { message, typingMilliseconds, type Message, type RegistrationSnapshot } from '@engawa/protocol';
import { z } from 'zod/mini';
import { conversationKey, conversationOf, type ConversationKey } from '../streams/conversation.ts';
import type { UnreadState } from '../unread/state.ts';
import type { Limits } from './rights.ts';
import { find, type TimelineState } from './timeline.ts';

/** A link to a conversation or one of its messages. */
export interface ConversationLink {
  readonly conversation: ConversationKey;
  /** The message to open the conversation at; undefined for its newest messages. */
  readonly messageId?: number | undefined;
}

/** A reading position: the message was `top` pixels below the upper edge of the list when the reader left. */
export interface ReadingPlace {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly top: number;
}

export interface TimelinesState extends UnreadState {
  readonly current: ConversationKey | undefined;
  readonly timelines: ReadonlyMap<ConversationKey, TimelineState>;
  /** The newest message of each conversation: null if it has none, no entry if it has not been fetched yet. */
  readonly newest: ReadonlyMap<ConversationKey, Message | null>;
  /** The highest message id that this page has seen. A message that is sent later gets a higher one. */
  readonly maxMessageId: number;
  readonly limits: Limits;
  /** Ids of messages that were deleted since the page was opened; only the last ones. */
  readonly deleted: ReadonlySet<number>;
  /** Other members who are typing: user ids in the order in which they began. */
  readonly typing: ReadonlyMap<ConversationKey, readonly number[]>;
  /** In milliseconds. `resent`: own typing is reported again. `idle`: own typing ends after the last key. `expires`: another's after their last report. */
  readonly typingTimes: Readonly<Record<'resent' | 'idle' | 'expires', number>>;
}

export const initialTimelines: Omit<TimelinesState, keyof UnreadState> = {
  current: undefined,
  timelines: new Map(),
  newest: new Map(),
  maxMessageId: 0,
  limits: { edit: null, delete: null },
  deleted: new Set(),
  typing: new Map(),
  typingTimes: typingMilliseconds,
};

export const selectCurrent = ({ current }: TimelinesState) => current;
export const selectIsCurrent = ({ current }: TimelinesState, conversation: ConversationKey) => current === conversation;
export const selectDeletedIds = ({ deleted }: TimelinesState) => deleted;

const nobody: readonly number[] = [];

/** R2.20.2: the other members who are typing: user ids in the order in which they began. */
export const selectTypingMembers = ({ typing }: TimelinesState, conversation: ConversationKey) =>
  typing.get(conversation) ?? nobody;

export function locate({ timelines, current }: TimelinesState, id: number): Message | undefined {
  const open = current === undefined ? undefined : timelines.get(current);
  for (const { messages = [] } of open ? [open, ...timelines.values()] : timelines.values()) {
    const message = find(messages, id);
    if (message) return message;
  }
  return undefined;
}

/** The part of the state that the answer of register contains and that tabs send each other. */
export const timelinesSnapshot = {
  newest: z.map(conversationKey, z.nullable(message)),
  maxMessageId: z.int(),
  limits: z.object({
    edit: z.nullable(z.int()),
    delete: z.nullable(z.int()),
    editing: z.optional(z.boolean()),
    ownDeletion: z.optional(z.int()),
  }),
  typingTimes: z.object({ resent: z.int(), idle: z.int(), expires: z.int() }),
};

/** @param recent The newest messages of all conversations, by rising id. */
export function timelinesFrom(registration: RegistrationSnapshot, recent: readonly Message[], streamIds: ReadonlySet<number>) {
  const {
    realm_message_content_edit_limit_seconds: edit = null,
    realm_message_content_delete_limit_seconds: deletion = null,
    realm_allow_message_editing: editing,
    realm_delete_own_message_policy: ownDeletion,
    server_typing_started_wait_period_milliseconds: resent = typingMilliseconds.resent,
    server_typing_stopped_wait_period_milliseconds: idle = typingMilliseconds.idle,
    server_typing_started_expiry_period_milliseconds: expires = typingMilliseconds.expires,
  } = registration;
  const newest = new Map<ConversationKey, Message>();
  for (const each of recent) {
    const conversation = conversationOf(each);
    if (conversation === undefined) continue;
    if (each.type === 'private' || streamIds.has(each.stream_id ?? 0)) newest.set(conversation, each);
  }
  return {
    newest,
    maxMessageId: Math.max(registration.max_message_id ?? 0, recent.at(-1)?.id ?? 0),
    limits: { edit, delete: deletion, editing, ownDeletion },
    typingTimes: { resent, idle, expires },
  };
}
