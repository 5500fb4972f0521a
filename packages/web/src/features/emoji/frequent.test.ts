import { expect, it } from 'vitest';
import { countUse, frequentlyUsed } from './frequent.ts';

function storageOf(initial?: string) {
  let value = initial ?? null;
  return {
    getItem: () => value,
    setItem: (_key: string, next: string) => {
      value = next;
    },
  };
}

it('[R2.22.2] puts what is used most first', () => {
  const storage = storageOf();
  countUse(storage, '🐈');
  countUse(storage, '🍣');
  countUse(storage, '🍣');
  expect(frequentlyUsed(storage).slice(0, 3)).toEqual(['🍣', '🐈', '👍']);
});

it('[R2.22.2] starts with a useful set, whatever stands in the storage', () => {
  expect(frequentlyUsed(storageOf('not JSON'))).toContain('🎉');
});
