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

/** The words of which each member wants to hear. */
export const alertWords = {
  /** In the order in which they were added; at most `maxAlertWords`. */
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('alert_word').selectAll().where('user_id', '=', userId).orderBy('id'),
  ),
  /** The same as they were written. */
  textsOf: (reader: Reader, userId: number): string[] => alertWords.of(reader, userId).map(({ word }) => word),
  /** Everybody's: at most `maxAlertWords` for each member. */
  all: queries.rows((query) => query.selectFrom('alert_word').selectAll().orderBy('id')),
  insert: (tx: Transaction, userId: number, word: string) => insertWord(tx, { user_id: userId, word, word_key: wordKey(word) }),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('alert_word').where('id', '=', id)),
  /** Another number whenever the words are others; 0 before there were any. */
  mark: (reader: Reader): number => selectMark(reader)?.value ?? 0,
  /** Says that the words are others now. A number by chance, so that one that was undone is not met again. */
  noteChange: (tx: Transaction) => noteChange(tx, randomInt(2 ** 47)),
};
