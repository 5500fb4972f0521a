import { storedNamePattern } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { z } from 'zod/mini';
import { generateKey, generateStoredName } from './generate.ts';

it('[R9.3] generateStoredName returns 20 lower-case letters and digits, followed by the extension of the file name', () => {
  expect(generateStoredName('見積,最終.XLSX')).toMatch(/^[a-z0-9]{20}\.XLSX$/);
  expect(generateStoredName('README')).toMatch(/^[a-z0-9]{20}$/);
  for (const name of ['a.tar.gz', '.profile', '報告書.資料', 'x.', 'い ろ.は に']) {
    expect(generateStoredName(name)).toMatch(storedNamePattern);
  }
});

it('generateStoredName uses all 26 letters and 10 digits, and never returns a name twice', () => {
  const names = Array.from({ length: 200 }, () => generateStoredName('x'));
  expect(new Set(names).size).toBe(200);
  expect(new Set(names.join('')).size).toBe(36);
});

it('generateKey returns UUIDs of version 7, in the order of their times', () => {
  const keys = Array.from({ length: 100 }, (_, index) => generateKey(1_700_000_000_000 + index));
  for (const key of keys) expect(z.uuidv7().safeParse(key).success).toBe(true);
  expect(keys).toEqual(keys.toSorted());
  expect(new Set(Array.from({ length: 100 }, () => generateKey(1_700_000_000_000))).size).toBe(100);
});
