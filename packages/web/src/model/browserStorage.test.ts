import { expect, it } from 'vitest';
import { newStorage } from '../../test/storage.ts';
import { forgetUnsent } from './browserStorage.ts';

it('[R1.5] forgetUnsent removes the unsent texts of one member and keeps those of other members', () => {
  const storage = newStorage();
  storage.setItem('engawa:draft:6:7', '下書き');
  storage.setItem('engawa:draft:66:7', '他の人の下書き');
  storage.setItem('engawa-theme', 'dark');
  forgetUnsent(storage, 6);
  expect([storage.length, storage.getItem('engawa:draft:66:7')]).toEqual([2, '他の人の下書き']);
  forgetUnsent(storage, undefined);
  expect([storage.length, storage.getItem('engawa-theme')]).toEqual([1, 'dark']);
});
