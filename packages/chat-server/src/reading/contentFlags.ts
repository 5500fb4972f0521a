import type { Transaction } from '../database/index.ts';
import { mentionedBy } from '../messages/mentions.ts';
import type { Writing } from '../messages/rooms.ts';
import type { MessageRow } from '../messages/store.ts';
import { flagBits, messageFlags } from './store.ts';

/** What tells whom a content is for. */
type Addressing = Pick<Writing, 'alertWordIndex' | 'groups'>;
type Written = Pick<MessageRow, 'id' | 'conversation_id' | 'content' | 'client'>;

/** Sets the flags that a message's content gives to some who may read it. */
export function flagByContent(tx: Transaction, { alertWordIndex, groups }: Addressing, message: Written): void {
  messageFlags.add(tx, message.id, flagBits.mentioned, mentionedBy(tx, groups, message));
  messageFlags.add(tx, message.id, flagBits.has_alert_word, alertWordIndex.alertedBy(tx, message));
}

/** The same for a content that took the place of another. */
export function flagAnew(tx: Transaction, addressing: Addressing, message: Written): void {
  messageFlags.clear(tx, message.id, flagBits.mentioned | flagBits.has_alert_word);
  flagByContent(tx, addressing, message);
}
