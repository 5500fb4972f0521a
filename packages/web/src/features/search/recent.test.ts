import { expect, it } from 'vitest';
import { newStorage } from '../../../test/storage.ts';
import { forgetUnsent } from '../../model/browserStorage.ts';
import { forgetSearches, mostRecent, recentSearches, rememberSearch } from './recent.ts';

it('[R2.9.1] The recent searches of a member are listed once each, the latest first', () => {
  const kept = newStorage();
  for (const query of ['会議', '鮎', ' 会議 ', '  ']) rememberSearch(kept, 1, query);
  expect(recentSearches(kept, 1)).toEqual(['会議', '鮎']);
  expect(recentSearches(kept, 2)).toEqual([]);
  for (let number = 1; number <= 20; number += 1) rememberSearch(kept, 1, `${number}番`);
  expect(recentSearches(kept, 1)).toHaveLength(mostRecent);
  expect(recentSearches(kept, 1)[0]).toBe('20番');
});

it('[R2.9.1] The recent searches are deleted on request and when the member signs out', () => {
  const kept = newStorage();
  rememberSearch(kept, 1, '会議');
  rememberSearch(kept, 2, '鮎');
  forgetSearches(kept, 1);
  expect([recentSearches(kept, 1), recentSearches(kept, 2)]).toEqual([[], ['鮎']]);
  forgetUnsent(kept, 2);
  expect(recentSearches(kept, 2)).toEqual([]);
});

it('The recent searches are empty if the stored value is malformed or the storage is forbidden', () => {
  const kept = newStorage();
  rememberSearch(kept, 1, '会議');
  const name = kept.key(0) ?? '';
  for (const text of ['{', '{"a":1}', '[1]']) {
    kept.setItem(name, text);
    expect(recentSearches(kept, 1)).toEqual([]);
  }
  rememberSearch(undefined, 1, '会議');
  expect(recentSearches(undefined, 1)).toEqual([]);
});
