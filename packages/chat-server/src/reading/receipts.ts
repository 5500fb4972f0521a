import {
  countReadReceipts,
  getReadReceipts,
  maxMessagesPerReceiptsCall,
  maxMutersPerMessage,
  maxReceiptAudience,
  receiptsPerTurn,
} from '@engawa/protocol';
import { type Span, received, within } from '../conversations/access.ts';
import { type RecipientRow, memberships } from '../conversations/memberships.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import type { Steps } from '../turns.ts';
import { readableHeader, readableHeaders } from '../conversations/messageHeaders.ts';
import { realms } from '../realm/store.ts';
import { settings } from '../settings/store.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';
import { remembered } from '../events/batch.ts';
import { mutedUsers } from './mutedUsers.ts';
import { type IsRead, type SentMessage, readStates } from './store.ts';

export function receiptRoutes(database: Database): Route[] {
  return [
    memberRoute(getReadReceipts, async ({ message_id }, { member, takeTurns }) => {
      const message = database.snapshot((reader) => {
        const asked = readableHeader(reader, member, message_id);
        const shown = receiptsShownTo(reader, member);
        if (!shown(asked)) throw refused.because('Read receipts are shown to the author of a message only.');
        return asked;
      });
      const groups: Record<ReceiptState, number[]> = { read: [], unread: [], withheld: [] };
      const sort: Visit = (userId, stateOf) => {
        const group = stateOf(message);
        if (group) groups[group].push(userId);
      };
      await takeTurns(() => eachRecipient(database, message.conversation_id, sort));
      return { user_ids: groups.read, unread_user_ids: groups.unread, withheld_user_ids: groups.withheld };
    }),

    memberRoute(countReadReceipts, async ({ messages: ids }, { member, takeTurns }) => {
      if (ids.length > maxMessagesPerReceiptsCall) {
        throw refused.because(`Too many messages in one call (limit: ${maxMessagesPerReceiptsCall}).`);
      }
      const places = database.snapshot((reader) => readableHeaders(reader, member, ids).filter(receiptsShownTo(reader, member)));
      const [first] = places;
      if (!first) return { read_counts: [] };
      if (places.some((place) => place.conversation_id !== first.conversation_id)) {
        throw refused.because('Messages of one conversation are counted at once.');
      }
      const counts = new Map(places.map(({ id }) => [id, 0]));
      const count: Visit = (_, stateOf) => {
        for (const place of places) {
          if (stateOf(place) === 'read') counts.set(place.id, (counts.get(place.id) ?? 0) + 1);
        }
      };
      await takeTurns(() => eachRecipient(database, first.conversation_id, count));
      return { read_counts: [...counts].map(([message_id, count]) => ({ message_id, count })) };
    }),
  ];
}

/** THE rule of who sees receipts: the organisation decides, and a member who sends none sees none. @throws ChatError */
function receiptsShownTo(reader: Reader, member: Member): (message: SentMessage) => boolean {
  const shown = realms.get(reader)?.read_receipts ?? 'none';
  if (shown === 'none') throw refused.because('Read receipts are disabled in this organization.');
  if (!settings.get(reader, memberNow(reader, member).id, 'send_read_receipts')) {
    throw refused.because('Read receipts are shown to those who send them.');
  }
  return ({ sender_id }) => shown === 'all' || sender_id === member.id;
}

type ReceiptState = 'read' | 'unread' | 'withheld';
/** Returns undefined if the member sent the message or did not receive it. */
type StateOf = (message: SentMessage) => ReceiptState | undefined;

type Visit = (userId: number, stateOf: StateOf) => void;

/** Visits `receiptsPerTurn` members per step, up to `maxReceiptAudience`. */
function* eachRecipient(database: Database, conversationId: number, visit: Visit): Steps<void> {
  const muters = new Map<number, ReadonlySet<number>>();
  let after = 0;
  for (let looked = 0; looked < maxReceiptAudience; looked += receiptsPerTurn) {
    if (looked > 0) yield;
    const page = database.snapshot((reader) => {
      const rows = memberships.recipients(reader, conversationId, after, receiptsPerTurn);
      // A bot reads a message for nobody.
      const active = rows.filter((row) => row.is_active && !row.is_bot);
      const userIds = active.map(({ user_id }) => user_id);
      const isRead = readStates.readsOf(reader, conversationId, userIds);
      const mutersOf = (senderId: number) =>
        remembered(muters, senderId, () => new Set(mutedUsers.mutersOf(reader, senderId, maxMutersPerMessage)));
      for (const row of active) visit(row.user_id, stateFor(reader, conversationId, row, isRead, mutersOf));
      return rows;
    });
    if (page.length < receiptsPerTurn) return;
    after = page.at(-1)?.user_id ?? after;
  }
}

/** @param mutersOf the members who have muted a sender: their copies are read, but not by them. */
function stateFor(
  reader: Reader,
  conversationId: number,
  row: RecipientRow,
  isRead: IsRead,
  mutersOf: (senderId: number) => ReadonlySet<number>,
): StateOf {
  const sends = settings.get(reader, row.user_id, 'send_read_receipts');
  const wasSent = wasSentTo(reader, conversationId, row);
  return (message) => {
    const { id, sender_id } = message;
    if (sender_id === row.user_id || !wasSent(id)) return undefined;
    // This comes first, because `unread` would reveal that the member has muted the sender.
    if (!sends) return 'withheld';
    if (mutersOf(sender_id).has(row.user_id)) return 'unread';
    return isRead(row.user_id, message) ? 'read' : 'unread';
  };
}

/** Most messages belong to the current membership, so earlier memberships are looked up only if needed. */
function wasSentTo(reader: Reader, conversationId: number, { user_id, began_message }: RecipientRow) {
  let spans: readonly Span[] | undefined;
  return (id: number): boolean => id > began_message || within(id, (spans ??= received(reader, user_id, conversationId)));
}
