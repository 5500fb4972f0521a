/** Where what is written and not sent is kept. */
export type UnsentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Begins the names of all that a member has written and not sent, so that signing out can leave none of it behind. */
export const unsentPrefix = 'engawa:draft:';

/** Outlives a reload of the tab. Where it cannot be used, what is written lives as long as the page. */
export function tabStorage(): UnsentStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** Outlives the tab, and is the same in all tabs of this browser. */
export function browserStorage(): UnsentStorage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Hears the name of what another tab has changed in the browser's storage; returns how to stop. */
export function onOtherTab(listener: (name: string) => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key !== null) listener(key);
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

/**
 * Whoever signs out on purpose leaves nothing behind on this computer, and what others have left stays.
 * @param userId undefined where nobody knows who it was: then nothing of anybody stays.
 */
export function forgetUnsent(storage: UnsentStorage | undefined, userId: number | undefined): void {
  if (!storage) return;
  const prefix = userId === undefined ? unsentPrefix : `${unsentPrefix}${userId}:`;
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  for (const key of keys) if (key?.startsWith(prefix)) storage.removeItem(key);
}
