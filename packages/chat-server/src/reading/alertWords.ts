import { wordKey } from '@engawa/folding';
import { parseFileMessage } from '@engawa/protocol';
import { memberships } from '../conversations/memberships.ts';
import type { Reader, Transaction, Columns, Value } from '../database/index.ts';
import { remembered } from '../events/batch.ts';
import { type Row, queries } from '../schema.ts';
import { WordFinder } from './wordFinder.ts';

const insertWord = queries.run((query, row: Columns<Omit<Row<'alert_word'>, 'id'>>) =>
  query.insertInto('alert_word').values({ user_id: row.user_id, word: row.word, word_key: row.word_key }),
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
};

interface WordChange {
  readonly userId: number;
  /** Keys of words (`wordKey`). */
  readonly added?: Iterable<string>;
  readonly removed?: Iterable<string>;
}

/**
 * Keeps the words of all members in memory, so that the cost of searching a text does not grow with the number of words, and
 * a change costs as much as its words are long.
 */
export class AlertWordIndex {
  readonly #committed: Reader;
  #isLoaded = false;
  readonly #finder = new WordFinder();
  readonly #owners = new Map<string, Set<number>>();

  /** @param committed must not read changes of a transaction that can still be rolled back. */
  constructor(committed: Reader) {
    this.#committed = committed;
  }

  alertedBy(reader: Reader, { conversation_id, content }: Pick<Row<'message'>, 'conversation_id' | 'content'>): number[] {
    this.#load();
    if (this.#owners.size === 0) return [];
    const words = this.#finder.wordsIn(wordKey(parseFileMessage(content)?.name ?? content));
    const userIds = new Set([...words].flatMap((word) => [...(this.#owners.get(word) ?? [])]));
    return userIds.size === 0 ? [] : memberships.membersAmong(reader, conversation_id, [...userIds]);
  }

  /** Takes effect after the commit. */
  change(tx: Transaction, { userId, added = [], removed = [] }: WordChange): void {
    tx.afterCommit(() => {
      if (!this.#isLoaded) return;
      for (const word of removed) this.#remove(word, userId);
      for (const word of added) this.#add(word, userId);
    });
  }

  #load(): void {
    if (this.#isLoaded) return;
    for (const { word_key, user_id } of alertWords.all(this.#committed)) this.#add(word_key, user_id);
    this.#isLoaded = true;
  }

  #add(word: string, userId: number): void {
    const owners = remembered(this.#owners, word, () => new Set());
    if (owners.size === 0) this.#finder.add(word);
    owners.add(userId);
  }

  #remove(word: string, userId: number): void {
    const owners = this.#owners.get(word);
    owners?.delete(userId);
    if (owners?.size !== 0) return;
    this.#owners.delete(word);
    this.#finder.delete(word);
  }
}
