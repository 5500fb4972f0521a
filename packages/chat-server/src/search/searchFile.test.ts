import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Direction } from '../conversations/access.ts';
import * as eg from '../testing/eg.ts';
import { SearchFile, SearchFileReader } from './searchFile.ts';
import { conversationToken, queryOf, tokensOf } from './tokens.ts';

const many = 100_000;

/** An index in which every second message is equal. */
function createIndex(): SearchFileReader {
  const path = join(eg.directory(), 'search.db');
  const file = SearchFile.create(path, 'x', { cursor: 0, floor: 0 });
  const texts = ['会議です', '昼食です'].map((text) => [...tokensOf([text]), conversationToken(1)]);
  file.write((put) => {
    for (let id = 1; id <= many; id += 1) put({ id, tokens: texts[id % 2] });
    return { cursor: 1, floor: 0 };
  });
  file.close();
  const reader = new SearchFileReader(path);
  onTestFinished(() => reader.close());
  return reader;
}

/** The minimum duration of several runs in milliseconds, to exclude interruptions. */
function fastest(durationOf: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    durationOf();
    return performance.now() - began;
  });
  return Math.min(...times);
}

it('[R2.9.1] A search from the middle of the history takes about as long as a search from its newest or oldest message', () => {
  const reader = createIndex();
  const query = queryOf(['会議', 'です'], [1]);
  const durationOf = (direction: Direction, from: number) =>
    fastest(() => {
      const span = direction === 'up' ? { after: from, upTo: many } : { after: 0, upTo: from };
      expect(reader.find(query, span, direction, 20)).toHaveLength(20);
    });
  expect(durationOf('down', 1000)).toBeLessThan(10 * durationOf('down', many));
  expect(durationOf('up', many - 1000)).toBeLessThan(10 * durationOf('up', 0));
});
