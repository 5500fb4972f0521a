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

it('[R2.22.2] lists the most used emoji first', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  countUse(storage, me, '🍣');
  countUse(storage, me, '🍣');
  expect(frequentlyUsed(storage, me).slice(0, 3)).toEqual(['🍣', '🐈', '👍']);
});

it('[R2.23] keeps separate counts for two members who share a browser', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  expect(frequentlyUsed(storage, 8)).not.toContain('🐈');
});

it('[R2.22.2] starts with default emoji, also if the stored value is malformed', () => {
  expect(frequentlyUsed(storageOf({ 'engawa:emoji:7': 'not JSON' }), me)).toContain('🎉');
});

it('lists the default emoji if the browser has no storage', () => {
  expect(() => countUse(forbidden, me, '🐈')).not.toThrow();
  expect(frequentlyUsed(forbidden, me)).toContain('🎉');
});

it('[R2.23] lists emoji counted by the server before those counted in this browser', () => {
  const storage = storageOf();
  countUse(storage, me, '🐈');
  expect(frequentlyUsed(storage, me, { '🍣': 5, '🎉': 2 }).slice(0, 3)).toEqual(['🍣', '🎉', '🐈']);
});

it('[R2.23] hands over the counts of this browser once, the most used emoji last', () => {
  const storage = storageOf();
  for (const emoji of ['🐈', '🍣', '🍣']) countUse(storage, me, emoji);
  expect(takeUsedHere(storage, me)).toEqual(['🐈', '🍣']);
  expect(takeUsedHere(storage, me)).toEqual([]);
});
