import type { Registration } from '@engawa/client';
import { readReceiptsShown, type ReadReceiptsShown } from '@engawa/protocol';
import { z } from 'zod';
import { conversationKey, directOf, type ConversationKey } from '../streams/conversation.ts';
import type { StreamsState } from '../streams/state.ts';
import { noneFlagged, type Flagged } from './flagged.ts';
import { isUnread, withUnread, type Unread } from './unread.ts';

export interface UnreadState extends StreamsState {
  readonly unread: Unread;
  readonly flagged: Flagged;
  /** Message ids that the member has read and the server has not confirmed yet: they no longer count. */
  readonly reading: ReadonlySet<number>;
  readonly alertWords: readonly string[];
  /** The conversation that the member has marked as unread and not left since. */
  readonly keptUnread: ConversationKey | undefined;
  /** Conversations that are being marked as unread: each as often as a call is under way. */
  readonly unreading: readonly ConversationKey[];
  readonly receiptsShown: ReadReceiptsShown;
  /** The number of readers by message id, as far as the open conversation has shown it. */
  readonly readCounts: ReadonlyMap<number, number>;
}

export const initialUnread: Omit<UnreadState, keyof StreamsState> = {
  unread: new Map(),
  flagged: noneFlagged,
  reading: new Set(),
  alertWords: [],
  keptUnread: undefined,
  unreading: [],
  receiptsShown: 'own',
  readCounts: new Map(),
};

/** Another object whenever other messages are flagged for the member. */
export const selectFlagged = ({ flagged }: UnreadState) => flagged;
export const selectAlertWords = ({ alertWords }: UnreadState) => alertWords;
export const selectReceiptsShown = ({ receiptsShown }: UnreadState) => receiptsShown;
export function showsReaders(
  { align, deleted }: { readonly align: 'left' | 'right'; readonly deleted: boolean },
  shown: ReadReceiptsShown,
): boolean {
  return !deleted && (shown === 'all' || (shown === 'own' && align === 'right'));
}

export const selectReadCount = ({ readCounts }: UnreadState, messageId: number) => readCounts.get(messageId);
export const selectIsUnread = (state: UnreadState, conversation: ConversationKey, messageId: number) =>
  isUnread(state, conversation, messageId);

/** The part of the state that a register brings and that tabs share. */
export const unreadSnapshot = {
  unread: z.map(conversationKey, z.set(z.int()).readonly()).readonly(),
  flagged: z.object({ mentioned: z.set(z.int()).readonly(), alerted: z.set(z.int()).readonly(), starChanges: z.int() }),
  alertWords: z.array(z.string()),
  receiptsShown: readReceiptsShown,
};

export function unreadFrom(registration: Registration, memberId: number) {
  const { unread_msgs, alert_words = [] } = registration;
  const { streams = [], pms = [], huddles = [], mentions = [] } = unread_msgs ?? {};
  const ids: readonly (readonly [ConversationKey, readonly number[]])[] = [
    // A stream is listed once for each topic.
    ...streams.map(({ stream_id, unread_message_ids }) => [stream_id, unread_message_ids] as const),
    ...pms.map(({ other_user_id, unread_message_ids }) => [directOf([memberId, other_user_id]), unread_message_ids] as const),
    ...huddles.map(({ user_ids_string, unread_message_ids }) => {
      return [directOf(user_ids_string.split(',').map(Number)), unread_message_ids] as const;
    }),
  ];
  return {
    unread: ids.reduce<Unread>((unread, [conversation, each]) => withUnread(unread, conversation, each), new Map()),
    flagged: { ...noneFlagged, mentioned: new Set(mentions) },
    alertWords: alert_words,
    receiptsShown: receiptsShownOf(registration.realm_enable_read_receipts, registration.realm_read_receipts) ?? 'own',
  };
}

/** Zulip knows only on and off: on means the receipts of the member's own messages, as does a server that says nothing. */
export function receiptsShownOf(isOn: boolean | undefined, shown: ReadReceiptsShown | undefined) {
  if (shown !== undefined || isOn === undefined) return shown;
  return isOn ? 'own' : 'none';
}
