import { z } from 'zod/mini';
import { unsentPrefix, type UnsentStorage } from '../../model/browserStorage.ts';

export const mostRecent = 8;
const queries = z.array(z.string());

// Signing out removes the keys with this prefix.
const keyOf = (memberId: number) => `${unsentPrefix}${memberId}:searches`;

export function recentSearches(storage: UnsentStorage | undefined, memberId: number): readonly string[] {
  try {
    return queries.parse(JSON.parse(storage?.getItem(keyOf(memberId)) ?? '[]'));
  } catch {
    return [];
  }
}

export function rememberSearch(storage: UnsentStorage | undefined, memberId: number, query: string): void {
  const typed = query.trim();
  if (typed === '') return;
  const others = recentSearches(storage, memberId).filter((each) => each !== typed);
  try {
    storage?.setItem(keyOf(memberId), JSON.stringify([typed, ...others].slice(0, mostRecent)));
  } catch {
    // If the storage is full or forbidden, the list is unchanged.
  }
}

export function forgetSearches(storage: UnsentStorage | undefined, memberId: number): void {
  storage?.removeItem(keyOf(memberId));
}
