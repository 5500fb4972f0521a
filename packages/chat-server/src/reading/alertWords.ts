import { randomInt } from 'node:crypto';
import { wordKey } from '@engawa/folding';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type AlertWordRow = Row<'alert_word'>;

const insertWord = statement<Omit<AlertWordRow, 'id'>>()((query, value) =>
  query.insertInto('alert_word').values({ user_id: value.user_id, word: value.word, word_key: value.word_key }),
);
const deleteWord = statement<{ id: number }>()((query, value) => query.deleteFrom('alert_word').where('id', '=', value.id));
const selectOfUser = statement<{ user_id: number }>()((query, value) =>
  query.selectFrom('alert_word').selectAll().where('user_id', '=', value.user_id).orderBy('id'),
);
const selectAll = statement()((query) => query.selectFrom('alert_word').selectAll().orderBy('id'));
const selectMark = statement()((query) => query.selectFrom('counter').select('value').where('name', '=', 'alert_words'));
const noteChange = statement<{ mark: number }>()((query, value) =>
  query.updateTable('counter').set({ value: value.mark }).where('name', '=', 'alert_words'),
);

/** The words of which each member wants to hear. */
export const alertWords = {
  /** In the order in which they were added; at most `maxAlertWords`. */
  of: (reader: Reader, userId: number): AlertWordRow[] => reader.all(selectOfUser, { user_id: userId }),
  /** The same as they were written. */
  textsOf: (reader: Reader, userId: number): string[] => alertWords.of(reader, userId).map(({ word }) => word),
  /** Everybody's: at most `maxAlertWords` for each member. */
  all: (reader: Reader): AlertWordRow[] => reader.all(selectAll, {}),
  insert: (tx: Transaction, userId: number, word: string) =>
    tx.run(insertWord, { user_id: userId, word, word_key: wordKey(word) }),
  delete: (tx: Transaction, id: number) => tx.run(deleteWord, { id }),
  /** Another number whenever the words are others; 0 before there were any. */
  mark: (reader: Reader): number => reader.get(selectMark, {})?.value ?? 0,
  /** Says that the words are others now. A number by chance, so that one that was undone is not met again. */
  noteChange: (tx: Transaction) => tx.run(noteChange, { mark: randomInt(2 ** 47) }),
};
