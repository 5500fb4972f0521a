import { wordKey } from '@engawa/folding';
import { parseFileMessage } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import type { Row } from '../schema.ts';
import { alertWords } from './alertWords.ts';
import { WordFinder } from './wordFinder.ts';
import { memberships } from '../conversations/memberships.ts';

/** The alert words of all members in memory, so that a search costs the same however many there are. */
export class AlertWordIndex {
  #mark = 0;
  #finder = new WordFinder([]);
  #owners = new Map<string, readonly number[]>();

  alertedBy(reader: Reader, { conversation_id, content }: Pick<Row<'message'>, 'conversation_id' | 'content'>): number[] {
    this.#refresh(reader);
    if (this.#owners.size === 0) return [];
    const words = this.#finder.wordsIn(wordKey(parseFileMessage(content)?.name ?? content));
    const userIds = new Set([...words].flatMap((word) => this.#owners.get(word) ?? []));
    return userIds.size === 0 ? [] : memberships.membersAmong(reader, conversation_id, [...userIds]);
  }

  /** Runs once for each change of the words. The work grows with all words. */
  #refresh(reader: Reader): void {
    const mark = alertWords.mark(reader);
    if (mark === this.#mark) return;
    const byWord = Map.groupBy(alertWords.all(reader), ({ word_key }) => word_key);
    this.#owners = new Map([...byWord].map(([word, rows]) => [word, rows.map(({ user_id }) => user_id)]));
    this.#finder = new WordFinder(byWord.keys());
    this.#mark = mark;
  }
}
