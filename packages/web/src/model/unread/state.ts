import type { ReadReceiptsShown } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import { noneFlagged, type Flagged } from './flagged.ts';
import { isUnread, type Unread } from './unread.ts';

export interface UnreadState {
  readonly unread: Unread;
  readonly flagged: Flagged;
  /** Message ids that the member has read and the server has not confirmed yet: they no longer count. */
  readonly reading: ReadonlySet<number>;
  /** As the member typed them. */
  readonly alertWords: readonly string[];
  /** The conversation that the member has marked as unread and not left since. */
  readonly keptUnread: ConversationKey | undefined;
  /** Conversations that are being marked as unread: each as often as a call is under way. */
  readonly unreading: readonly ConversationKey[];
  /** The messages whose readers the organisation shows. */
  readonly receiptsShown: ReadReceiptsShown;
  /** The number of readers by message id, as far as the open conversation has shown it. */
  readonly readCounts: ReadonlyMap<number, number>;
}

export const initialUnread: UnreadState = {
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
/** Undefined until it is known. */
export const selectReadCount = ({ readCounts }: UnreadState, messageId: number) => readCounts.get(messageId);
export const selectIsUnread = (state: UnreadState, conversation: ConversationKey, messageId: number) =>
  isUnread(state, conversation, messageId);
