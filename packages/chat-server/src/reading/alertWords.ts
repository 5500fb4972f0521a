import { randomInt } from 'node:crypto';
import { wordKey } from '@engawa/folding';
import type { Reader, Transaction, Columns, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type AlertWordRow = Row<'alert_word'>;

const insertWord = queries.run((query, row: Columns<Omit<AlertWordRow, 'id'>>) =>
  query.insertInto('alert_word').values({ user_id: row.user_id, word: row.word, word_key: row.word_key }),
);

const selectMark = queries.row((query) => query.selectFrom('counter').select('value').where('name', '=', 'alert_words'));
const noteChange = queries.run((query, mark: Value<number>) =>
  query.updateTable('counter').set({ value: mark }).where('name', '=', 'alert_words'),
);

export const alertWords = {
  /** The oldest first, at most `maxAlertWords`. */
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('alert_word').selectAll().where('user_id', '=', userId).orderBy('id'),
  ),
  textsOf: (reader: Reader, userId: number): string[] => alertWords.of(reader, userId).map(({ word }) => word),
  all: queries.rows((query) => query.selectFrom('alert_word').selectAll().orderBy('id')),
  insert: (tx: Transaction, userId: number, word: string) => insertWord(tx, { user_id: userId, word, word_key: wordKey(word) }),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('alert_word').where('id', '=', id)),
  /** A random number that changes with every change of any member's words; 0 before the first. */
  mark: (reader: Reader): number => selectMark(reader)?.value ?? 0,
  /** Random, so that the mark of a rolled back change is never reused. */
  noteChange: (tx: Transaction) => noteChange(tx, randomInt(2 ** 47)),
};
