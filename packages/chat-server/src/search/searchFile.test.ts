import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Direction } from '../conversations/access.ts';
import * as eg from '../testing/eg.ts';
import { SearchFile, SearchFileReader } from './searchFile.ts';
import { queryOf, tokensOf } from './tokens.ts';

const many = 100_000;

/** An index in which every second message says the same. */
function filled(): SearchFileReader {
  const path = join(eg.directory(), 'search.db');
  const file = SearchFile.create(path, { epoch: 'x' }, { cursor: 0, floor: 0 });
  const texts = [tokensOf(['会議です']), tokensOf(['昼食です'])];
  file.write((put) => {
    for (let id = 1; id <= many; id += 1) put({ id, tokens: texts[id % 2] });
    return { cursor: 1, floor: 0 };
  });
  file.close();
  const reader = new SearchFileReader(path);
  onTestFinished(() => reader.close());
  return reader;
}

/** Milliseconds that a look takes when nothing else is in its way. */
function quickest(look: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    look();
    return performance.now() - began;
  });
  return Math.min(...times);
}

it('[R2.9.1] a look from the middle of history takes no longer than one from its end', () => {
  const reader = filled();
  const query = queryOf(['会議', 'です'], 'all');
  const look = (direction: Direction, from: number) =>
    quickest(() => {
      const span = direction === 'up' ? { after: from, upTo: many } : { after: 0, upTo: from };
      expect(reader.find(query, span, direction, 20)).toHaveLength(20);
    });
  expect(look('down', 1000)).toBeLessThan(10 * look('down', many));
  expect(look('up', many - 1000)).toBeLessThan(10 * look('up', 0));
});
