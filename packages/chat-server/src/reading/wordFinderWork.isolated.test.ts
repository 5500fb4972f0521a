import type * as Folding from '@engawa/folding';
import { expect, it, vi } from 'vitest';
import { WordFinder } from './wordFinder.ts';

const checks = vi.hoisted(() => ({ count: 0 }));
vi.mock(import('@engawa/folding'), async (original) => {
  const folding: typeof Folding = await original();
  const isWordAt: typeof folding.isWordAt = (...parameters) => {
    checks.count += 1;
    return folding.isWordAt(...parameters);
  };
  return { ...folding, isWordAt };
});

it('WordFinder checks about one match per position of a text, even if 100 overlapping words could match there', () => {
  const words = Array.from({ length: 100 }, (_, length) => 'a'.repeat(length + 1));
  const text = 'a'.repeat(200_000);
  const finder = new WordFinder();
  for (const word of words) finder.add(word);
  expect([...finder.wordsIn(text)]).toEqual([]);
  // The longest match at each position, and the matches inside it twice at most.
  expect(checks.count).toBeGreaterThan(text.length / 2);
  expect(checks.count).toBeLessThan(text.length + 2 * words.length ** 2);
});
