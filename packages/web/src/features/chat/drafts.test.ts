import { beforeEach, expect, it } from 'vitest';
import { forgetUnsent, type TabStorage } from '../../model/tabStorage.ts';
import { createDrafts } from './drafts.ts';

function storageOf(): TabStorage {
  const entries = new Map<string, string>();
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => entries.set(key, value),
    removeItem: (key) => entries.delete(key),
    key: (index) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size;
    },
  };
}

let storage: TabStorage;
beforeEach(() => {
  storage = storageOf();
});

it('[R8.4] keeps a draft per stream, also over a reload', () => {
  const drafts = createDrafts(storage, 1);
  drafts.keep(7, { text: '書きかけ', file: undefined });
  expect(drafts.get(8).text).toBe('');
  expect(createDrafts(storage, 1).get(7).text).toBe('書きかけ');
});

it('[R1.5] shows no draft of another member, and none after signing out', () => {
  createDrafts(storage, 1).keep(7, { text: '内緒', file: undefined });
  expect(createDrafts(storage, 2).get(7).text).toBe('');
  forgetUnsent(storage);
  expect(createDrafts(storage, 1).get(7).text).toBe('');
});

it('[R4.7.2] brings back what was cleared without losing what was written since', () => {
  const drafts = createDrafts(storage, 1);
  const restored: number[] = [];
  drafts.onRestore((streamId) => restored.push(streamId));
  const file = new File(['x'], 'x.txt');
  drafts.keep(7, { text: '新しい', file: undefined });
  drafts.restore(7, { text: '消した', file });
  expect(drafts.get(7)).toEqual({ text: '消した\n新しい', file });
  expect(restored).toEqual([7]);
});
