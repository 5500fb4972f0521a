/** What is used of the browser's Storage. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Begins the names of all that a member has written and not sent, so that signing out can leave none of it behind. */
export const unsentPrefix = 'engawa:draft:';

/** Outlives a reload of the tab. Where it cannot be used, what is written lives as long as the page. */
export function tabStorage(): TabStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** Whoever signs out on purpose leaves nothing behind on this computer. */
export function forgetUnsent(storage: TabStorage | undefined): void {
  if (!storage) return;
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) if (key?.startsWith(unsentPrefix)) storage.removeItem(key);
}
