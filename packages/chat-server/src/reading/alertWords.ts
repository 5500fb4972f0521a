import { randomInt } from 'node:crypto';
import { wordKey } from '@engawa/folding';
import { parseFileMessage } from '@engawa/protocol';
import { memberships } from '../conversations/memberships.ts';
import type { Reader, Transaction, Columns, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';
import { WordFinder } from './wordFinder.ts';

const insertWord = queries.run((query, row: Columns<Omit<Row<'alert_word'>, 'id'>>) =>
  query.insertInto('alert_word').values({ user_id: row.user_id, word: row.word, word_key: row.word_key }),
);

const selectVersion = queries.row((query) => query.selectFrom('counter').select('value').where('name', '=', 'alert_words'));
const noteChange = queries.run((query, version: Value<number>) =>
  query.updateTable('counter').set({ value: version }).where('name', '=', 'alert_words'),
);

export const alertWords = {
  /** The oldest word comes first. A member has at most `maxAlertWords`. */
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('alert_word').selectAll().where('user_id', '=', userId).orderBy('id'),
  ),
  textsOf: (reader: Reader, userId: number): string[] => alertWords.of(reader, userId).map(({ word }) => word),
  all: queries.rows((query) => query.selectFrom('alert_word').selectAll().orderBy('id')),
  insert: (tx: Transaction, userId: number, word: string) => insertWord(tx, { user_id: userId, word, word_key: wordKey(word) }),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('alert_word').where('id', '=', id)),
  /** The version is a new random number after every change of any member's words; 0 before the first change. */
  version: (reader: Reader): number => selectVersion(reader)?.value ?? 0,
  /** A counter could give a rolled back change and a later change the same version, so the version is random. */
  noteChange: (tx: Transaction) => noteChange(tx, randomInt(2 ** 47)),
};

/** Keeps the words of all members in memory, so that the cost of searching a text does not grow with the number of words. */
export class AlertWordIndex {
  #version = 0;
  #finder = new WordFinder([]);
  #owners = new Map<string, readonly number[]>();

  alertedBy(reader: Reader, { conversation_id, content }: Pick<Row<'message'>, 'conversation_id' | 'content'>): number[] {
    this.#refresh(reader);
    if (this.#owners.size === 0) return [];
    const words = this.#finder.wordsIn(wordKey(parseFileMessage(content)?.name ?? content));
    const userIds = new Set([...words].flatMap((word) => this.#owners.get(word) ?? []));
    return userIds.size === 0 ? [] : memberships.membersAmong(reader, conversation_id, [...userIds]);
  }

  /** Loads all words again after a change of any word. The work grows with the number of words. */
  #refresh(reader: Reader): void {
    const version = alertWords.version(reader);
    if (version === this.#version) return;
    const byWord = Map.groupBy(alertWords.all(reader), ({ word_key }) => word_key);
    this.#owners = new Map([...byWord].map(([word, rows]) => [word, rows.map(({ user_id }) => user_id)]));
    this.#finder = new WordFinder(byWord.keys());
    this.#version = version;
  }
}
