import { dialectOf, type Dialect } from '@engawa/markup';
import { parseFileMessage, type FileMessage, type Message, type MessageNotice, type User } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import type { Failure } from '../connection/failure.ts';
import { memoise, perObject } from '../memoise.ts';
import { isAlerted, isMention } from '../unread/flagged.ts';
import { reactionsOf, type ReactionView } from './reactions.ts';
import { locate, type TimelinesState } from './state.ts';

/** A message's id, or the local key of one that is still being sent. */
export type MessageKey = number | string;

export interface MessageView {
  readonly key: MessageKey;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly avatarUrl: string | undefined;
  readonly content: string;
  readonly dialect: Dialect;
  readonly timestamp: number;
  /** Screens show it unless it is `stream events`, which the web client sends itself. */
  readonly topic: string;
  readonly align: 'left' | 'right';
  readonly deleted: boolean;
  readonly edited: boolean;
  readonly called: 'mention' | 'alert' | undefined;
  readonly starred: boolean;
  readonly reactions: readonly ReactionView[];
  readonly msgType: 'text' | 'file';
  readonly file: FileMessage | undefined;
  /** `held`: waits for an earlier message that could not be sent. `retrying`: is being sent again after `failure`. */
  readonly state: 'sent' | 'sending' | 'held' | 'failed' | 'retrying';
  /** 0 to 1 while a file is being uploaded; otherwise undefined. */
  readonly progress: number | undefined;
  readonly failure: Failure | undefined;
  /** The server wrote the message about what the sender did to the stream. */
  readonly notice?: MessageNotice | undefined;
  /** The sender started this call. */
  readonly call?: Message['call'];
  /** A hook sent the message. */
  readonly cards?: Message['cards'];
}

const messageViews = perObject<Message, typeof messageView>(() => memoise(messageView));

export function selectSentMessage(state: TimelinesState, messageId: number): MessageView | undefined {
  const message = locate(state, messageId);
  return message && messageViews(message)(message, state.users.get(message.sender_id), state.memberId);
}

export const noReactions: readonly ReactionView[] = [];

function messageView(message: Message, sender: User | undefined, memberId: number | undefined): MessageView {
  const deleted = message.deleted ?? false;
  const isOwn = message.sender_id === memberId;
  const file = deleted ? undefined : parseFileMessage(message.content);
  return {
    key: message.id,
    senderId: message.sender_id,
    senderFullName: sender?.full_name ?? message.sender_full_name,
    avatarUrl: (sender ?? message).avatar_url ?? undefined,
    content: deleted ? '' : message.content,
    dialect: dialectOf(message.client),
    timestamp: message.timestamp,
    topic: message.subject,
    align: isOwn ? 'right' : 'left',
    deleted,
    edited: message.last_edit_timestamp !== undefined,
    // A member who mentions their own department or writes their own alert word is not alerted.
    called: deleted || isOwn ? undefined : calledBy(message.flags ?? []),
    starred: !deleted && (message.flags?.includes('starred') ?? false),
    reactions: message.reactions.length === 0 ? noReactions : reactionsOf(message, memberId),
    msgType: file ? 'file' : 'text',
    file,
    state: 'sent',
    progress: undefined,
    failure: undefined,
    notice: deleted ? undefined : message.notice,
    call: deleted ? undefined : message.call,
    cards: deleted ? undefined : message.cards,
  };
}

function calledBy(flags: readonly string[]): MessageView['called'] {
  if (isMention(flags)) return 'mention';
  return isAlerted(flags) ? 'alert' : undefined;
}

export function fileAddress({ key, file }: Pick<MessageView, 'key' | 'file'>): string | undefined {
  if (!file || typeof key === 'string') return undefined;
  return `${paths.storage}${encodeURIComponent(file.storedName)}?message=${key}`;
}

/** The server refuses a picture at this address that has too many pixels for browsers. */
export const pictureAddress = (fileAddress: string): string => `${fileAddress}&as=picture`;
