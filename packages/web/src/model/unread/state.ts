import { readReceiptsShown, type ReadReceiptsShown, type RegistrationSnapshot } from '@engawa/protocol';
import { z } from 'zod/mini';
import { conversationKey, directOf, type ConversationKey } from '../streams/conversation.ts';
import type { StreamsState } from '../streams/state.ts';
import { noneFlagged, type Flagged } from './flagged.ts';
import { mutedFrom, noneMuted, type MutedTopics } from './mutedTopics.ts';
import { isUnread, withUnread, type Unread } from './unread.ts';

export interface UnreadState extends StreamsState {
  readonly unread: Unread;
  readonly flagged: Flagged;
  /** Ids of messages that the member has read and the server has not confirmed. They count as read already. */
  readonly reading: ReadonlySet<number>;
  readonly muted: MutedTopics;
  readonly alertWords: readonly string[];
  /** The conversation that the member has marked as unread, until they leave it. */
  readonly keptUnread: ConversationKey | undefined;
  /** Conversations that are being marked as unread, once for each call under way. */
  readonly unreading: readonly ConversationKey[];
  readonly receiptsShown: ReadReceiptsShown;
  /** The number of readers of messages that the open conversation has shown, by message id. */
  readonly readCounts: ReadonlyMap<number, number>;
}

export const initialUnread: Omit<UnreadState, keyof StreamsState> = {
  unread: new Map(),
  flagged: noneFlagged,
  reading: new Set(),
  muted: noneMuted,
  alertWords: [],
  keptUnread: undefined,
  unreading: [],
  receiptsShown: 'own',
  readCounts: new Map(),
};

/** A new object whenever the flagged messages have changed. */
export const selectFlagged = ({ flagged }: UnreadState) => flagged;
export const selectAlertWords = ({ alertWords }: UnreadState) => alertWords;
export const selectReceiptsShown = ({ receiptsShown }: UnreadState) => receiptsShown;
export function showsReaders(
  { align, deleted, notice }: { readonly align: 'left' | 'right'; readonly deleted: boolean; readonly notice?: unknown },
  shown: ReadReceiptsShown,
): boolean {
  return !deleted && !notice && (shown === 'all' || (shown === 'own' && align === 'right'));
}

export const selectReadCount = ({ readCounts }: UnreadState, messageId: number) => readCounts.get(messageId);
export const selectIsUnread = (state: UnreadState, conversation: ConversationKey, messageId: number) =>
  isUnread(state, conversation, messageId);

/** The part of the state that the answer of register contains and that tabs send each other. */
export const unreadSnapshot = {
  unread: z.readonly(z.map(conversationKey, z.readonly(z.set(z.int())))),
  flagged: z.object({ mentioned: z.readonly(z.set(z.int())), alerted: z.readonly(z.set(z.int())), starChanges: z.int() }),
  muted: z.object({ topics: z.readonly(z.set(z.string())), unread: z.readonly(z.set(z.int())) }),
  alertWords: z.array(z.string()),
  receiptsShown: readReceiptsShown,
};

export function unreadFrom(registration: RegistrationSnapshot, memberId: number) {
  const { unread_msgs, alert_words = [], user_topics = [] } = registration;
  const { streams = [], pms = [], huddles = [], mentions = [] } = unread_msgs ?? {};
  const ids: readonly (readonly [ConversationKey, readonly number[]])[] = [
    // The server lists a stream once for each topic.
    ...streams.map(({ stream_id, unread_message_ids }) => [stream_id, unread_message_ids] as const),
    ...pms.map(({ other_user_id, unread_message_ids }) => [directOf([memberId, other_user_id]), unread_message_ids] as const),
    ...huddles.map(({ user_ids_string, unread_message_ids }) => {
      return [directOf(user_ids_string.split(',').map(Number)), unread_message_ids] as const;
    }),
  ];
  return {
    unread: ids.reduce<Unread>((unread, [conversation, each]) => withUnread(unread, conversation, each), new Map()),
    flagged: { ...noneFlagged, mentioned: new Set(mentions) },
    muted: mutedFrom(user_topics, streams),
    alertWords: alert_words,
    receiptsShown: receiptsShownOf(registration.realm_enable_read_receipts, registration.realm_read_receipts) ?? 'own',
  };
}

/** Zulip's setting is on or off. On, or no setting, means receipts for the member's own messages. */
export function receiptsShownOf(isOn: boolean | undefined, shown: ReadReceiptsShown | undefined) {
  if (shown !== undefined || isOn === undefined) return shown;
  return isOn ? 'own' : 'none';
}
