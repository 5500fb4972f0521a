import { wordKey } from '@engawa/folding';
import { addAlertWords, getAlertWords, maxAlertWordLength, maxAlertWords, removeAlertWords } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { type AlertWordIndex, alertWords } from './alertWords.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';

interface AlertWordDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly alertWordIndex: AlertWordIndex;
}
type Changing = Omit<AlertWordDependencies, 'database'>;

export function alertWordRoutes({ database, ...dependencies }: AlertWordDependencies): Route[] {
  return [
    memberRoute(getAlertWords, (_, { member }) => ({ alert_words: alertWords.textsOf(database.reader, member.id) })),

    memberRoute(addAlertWords, async ({ alert_words }, { member }) => ({
      alert_words: await database.write((tx) => add(tx, dependencies, memberNow(tx, member), alert_words)),
    })),

    memberRoute(removeAlertWords, async ({ alert_words }, { member }) => ({
      alert_words: await database.write((tx) => remove(tx, dependencies, memberNow(tx, member), alert_words)),
    })),
  ];
}

/** Adds words. A word that the member already has keeps its first spelling. */
function add(tx: Transaction, dependencies: Changing, member: Member, words: readonly string[]): string[] {
  const known = new Set(alertWords.of(tx, member.id).map(({ word_key }) => word_key));
  const added = new Map<string, string>();
  for (const word of cleanWords(words)) {
    const key = wordKey(word);
    if (!known.has(key) && !added.has(key)) added.set(key, word);
  }
  if (added.size === 0) return alertWords.textsOf(tx, member.id);
  if (known.size + added.size > maxAlertWords) throw refused.because(`Too many alert words (limit: ${maxAlertWords}).`);
  for (const word of added.values()) alertWords.insert(tx, member.id, word);
  dependencies.alertWordIndex.change(tx, { userId: member.id, added: added.keys() });
  return publish(tx, dependencies, member);
}

function remove(tx: Transaction, dependencies: Changing, member: Member, words: readonly string[]): string[] {
  const keys = new Set(cleanWords(words).map(wordKey));
  const removed = alertWords.of(tx, member.id).filter(({ word_key }) => keys.has(word_key));
  if (removed.length === 0) return alertWords.textsOf(tx, member.id);
  for (const { id } of removed) alertWords.delete(tx, id);
  dependencies.alertWordIndex.change(tx, { userId: member.id, removed: removed.map(({ word_key }) => word_key) });
  return publish(tx, dependencies, member);
}

function cleanWords(words: readonly string[]): string[] {
  return words
    .map((word, index) => {
      const trimmed = word.toWellFormed().trim();
      if ([...trimmed].length <= maxAlertWordLength) return trimmed;
      throw refused.because(`alert_words[${index}] is too long (limit: ${maxAlertWordLength} characters)`);
    })
    .filter((word) => word !== '');
}

function publish(tx: Transaction, { log }: Changing, member: Member): string[] {
  const words = alertWords.textsOf(tx, member.id);
  log.append(tx, { type: 'alert_words', reach: 'self', reachId: member.id, payload: { alert_words: words } });
  return words;
}
