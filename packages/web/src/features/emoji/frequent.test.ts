import { expect, it } from 'vitest';
import { countUse, frequentlyUsed, takeUsedHere } from './frequent.ts';

function storageOf(entries: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(entries));
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    removeItem: (key: string) => void values.delete(key),
    setItem: (key: string, value: string) => void values.set(key, value),
  };
  return () => storage;
}

function forbidden(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}

const me = 7;

it('[R2.22.2] puts what is used most first', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  countUse(storage, me, '🍣');
  countUse(storage, me, '🍣');
  expect(frequentlyUsed(storage, me).slice(0, 3)).toEqual(['🍣', '🐈', '👍']);
});

it('[R2.23] is the member’s own, also where two of them share a browser', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  expect(frequentlyUsed(storage, 8)).not.toContain('🐈');
});

it('[R2.22.2] starts with a useful set, whatever stands in the storage', () => {
  expect(frequentlyUsed(storageOf({ 'engawa:emoji:7': 'not JSON' }), me)).toContain('🎉');
});

it('does without a storage', () => {
  expect(() => countUse(forbidden, me, '🐈')).not.toThrow();
  expect(frequentlyUsed(forbidden, me)).toContain('🎉');
});

it('[R2.23] puts what was used on any device first, and keeps what this browser had counted before', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  expect(frequentlyUsed(storage, me, { '🍣': 5, '🎉': 2 }).slice(0, 3)).toEqual(['🍣', '🎉', '🐈']);
});

it('[R2.23] hands over what this browser had counted once, the most used last', () => {
  const storage = storageOf();
  for (const emoji of ['🐈', '🍣', '🍣']) countUse(storage, me, emoji);
  expect(takeUsedHere(storage, me)).toEqual(['🐈', '🍣']);
  expect(takeUsedHere(storage, me)).toEqual([]);
});
