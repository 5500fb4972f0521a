import type * as Folding from '@engawa/folding';
import { expect, it, vi } from 'vitest';
import { WordFinder } from './wordFinder.ts';

const looks = vi.hoisted(() => ({ count: 0 }));
vi.mock(import('@engawa/folding'), async (original) => {
  const folding: typeof Folding = await original();
  const isWordAt: typeof folding.isWordAt = (...asked) => {
    looks.count += 1;
    return folding.isWordAt(...asked);
  };
  return { ...folding, isWordAt };
});

it('does not look at a word again for every place where it might stand', () => {
  const words = Array.from({ length: 100 }, (_, length) => 'a'.repeat(length + 1));
  const text = 'a'.repeat(200_000);
  expect([...new WordFinder(words).wordsIn(text)]).toEqual([]);
  // The longest that ends at each place, and those within it once for each that goes on and once for the last.
  expect(looks.count).toBeGreaterThan(text.length / 2);
  expect(looks.count).toBeLessThan(text.length + 2 * words.length ** 2);
});
