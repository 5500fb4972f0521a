export type UnsentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Prefix of the keys of unsent texts, so that signing out can remove all of them. */
export const unsentPrefix = 'engawa:draft:';

/** Survives a reload of the tab. Undefined if the browser forbids storage. */
export function tabStorage(): UnsentStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** Survives closing the tab, and is shared by all tabs of the browser. */
export function browserStorage(): UnsentStorage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Calls the listener with the key that another tab has changed; returns how to unsubscribe. */
export function onOtherTab(listener: (name: string) => void): () => void {
  const notify = ({ key }: StorageEvent) => {
    if (key !== null) listener(key);
  };
  window.addEventListener('storage', notify);
  return () => window.removeEventListener('storage', notify);
}

/**
 * Removes the texts that a member has written and not sent from this computer.
 * @param userId if undefined, the texts of all members are removed.
 */
export function forgetUnsent(storage: UnsentStorage | undefined, userId: number | undefined): void {
  const prefix = userId === undefined ? unsentPrefix : `${unsentPrefix}${userId}:`;
  for (const name of storedNames(storage)) if (name.startsWith(prefix)) storage?.removeItem(name);
}

export function storedNames(storage: UnsentStorage | undefined): string[] {
  return Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '');
}
