import type { Transaction } from '../database/index.ts';
import { isToAll, mentionedBy } from './mentions.ts';
import type { Writing } from './dependencies.ts';
import type { MessageRow } from './store.ts';
import { flagBits, messageFlags } from '../reading/store.ts';

/** What tells whom a content is for. */
type Addressing = Pick<Writing, 'alertWordIndex' | 'groups'>;
type Written = Pick<MessageRow, 'id' | 'conversation_id' | 'content' | 'client'>;

/**
 * Sets the flags that a message's content gives to some who may read it.
 * @returns whom it calls.
 */
export function flagByContent(
  tx: Transaction,
  { alertWordIndex, groups }: Addressing,
  message: Written,
): readonly number[] | 'all' {
  const mentioned = mentionedBy(tx, groups, message);
  messageFlags.add(tx, message.id, flagBits.mentioned, mentioned);
  messageFlags.add(tx, message.id, flagBits.has_alert_word, alertWordIndex.alertedBy(tx, message));
  return isToAll(message) ? 'all' : mentioned;
}

/** Whom a content that took the place of another calls who were not called before. */
function calledNow(now: readonly number[] | 'all', before: readonly number[] | 'all'): readonly number[] | 'all' {
  if (before === 'all') return [];
  return now === 'all' ? 'all' : now.filter((id) => !before.includes(id));
}

/**
 * The same for a content that took the place of another.
 * @returns whom it calls who were not called before.
 */
export function flagAnew(tx: Transaction, addressing: Addressing, message: Written, before: Written): readonly number[] | 'all' {
  messageFlags.clear(tx, message.id, flagBits.mentioned | flagBits.has_alert_word);
  const calledBefore = isToAll(before) ? 'all' : mentionedBy(tx, addressing.groups, before);
  return calledNow(flagByContent(tx, addressing, message), calledBefore);
}
