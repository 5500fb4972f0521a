import type { Transaction } from '../database/index.ts';
import { flagBits, messageFlags } from '../reading/store.ts';
import type { WriteDependencies } from './dependencies.ts';
import { mentionedBy, mentionsAll } from './mentions.ts';
import type { MessageRow } from './store.ts';

type Dependencies = Pick<WriteDependencies, 'alertWordIndex' | 'groups'>;
type Mentioned = readonly number[] | 'all';
type Content = Pick<MessageRow, 'id' | 'conversation_id' | 'sender_id' | 'content' | 'client'>;

/** Sets the flags of members whom a message mentions or whose alert words it contains. @returns the mentioned members. */
export function flagByContent(tx: Transaction, { alertWordIndex, groups }: Dependencies, message: Content): Mentioned {
  const mentioned = mentionedBy(tx, groups, message);
  messageFlags.add(tx, message.id, flagBits.mentioned, mentioned);
  messageFlags.add(tx, message.id, flagBits.has_alert_word, alertWordIndex.alertedBy(tx, message));
  return mentionsAll(message) ? 'all' : mentioned;
}

/** Updates these flags after an edit. @returns the mentioned members whom the former content did not mention. */
export function updateContentFlags(tx: Transaction, dependencies: Dependencies, message: Content, before: Content): Mentioned {
  messageFlags.clear(tx, message.id, flagBits.mentioned | flagBits.has_alert_word);
  const mentioned = flagByContent(tx, dependencies, message);
  if (mentionsAll(before)) return [];
  if (mentioned === 'all') return 'all';
  const mentionedBefore = mentionedBy(tx, dependencies.groups, before);
  return mentioned.filter((id) => !mentionedBefore.includes(id));
}
