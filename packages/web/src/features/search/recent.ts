/** What a member has searched for in this browser, the last first. */
import { z } from 'zod';
import { unsentPrefix, type UnsentStorage } from '../../model/browserStorage.ts';

export const mostRecent = 8;
const queries = z.array(z.string());

// Whoever signs out leaves it behind as little as what they were writing.
const keyOf = (memberId: number) => `${unsentPrefix}${memberId}:searches`;

export function recentSearches(storage: UnsentStorage | undefined, memberId: number): readonly string[] {
  try {
    return queries.parse(JSON.parse(storage?.getItem(keyOf(memberId)) ?? '[]'));
  } catch {
    // What another version or a hand has written there is not worth more than starting anew.
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
    // The storage is full or forbidden: the list stays as it was.
  }
}

export function forgetSearches(storage: UnsentStorage | undefined, memberId: number): void {
  storage?.removeItem(keyOf(memberId));
}
