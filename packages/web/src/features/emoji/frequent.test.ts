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

it('[R2.22.2] The frequent emoji begin with the most used one', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  countUse(storage, me, '🍣');
  countUse(storage, me, '🍣');
  expect(frequentlyUsed(storage, me).slice(0, 3)).toEqual(['🍣', '🐈', '👍']);
});

it('[R2.23] Two members who use the same browser have separate emoji counts', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  expect(frequentlyUsed(storage, 8)).not.toContain('🐈');
});

it('[R2.22.2] The frequent emoji are the defaults before any use, and if the stored counts are malformed', () => {
  expect(frequentlyUsed(storageOf({ 'engawa:emoji:7': 'not JSON' }), me)).toContain('🎉');
});

it('The frequent emoji are the defaults if the browser has no storage', () => {
  expect(() => countUse(forbidden, me, '🐈')).not.toThrow();
  expect(frequentlyUsed(forbidden, me)).toContain('🎉');
});

it('[R2.23] Emoji counted by the server come before those counted in this browser', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  expect(frequentlyUsed(storage, me, { '🍣': 5, '🎉': 2 }).slice(0, 3)).toEqual(['🍣', '🎉', '🐈']);
});

it('[R2.23] takeUsedHere returns the emoji counted in this browser once, the most used last', () => {
  const storage = storageOf();
  for (const emoji of ['🐈', '🍣', '🍣']) countUse(storage, me, emoji);
  expect(takeUsedHere(storage, me)).toEqual(['🐈', '🍣']);
  expect(takeUsedHere(storage, me)).toEqual([]);
});
