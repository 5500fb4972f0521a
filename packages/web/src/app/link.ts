/** Invitation and password links. Each contains a secret that is valid once. */
import { z } from 'zod/mini';

const pattern = /^#\/(invitation|password)\//;
const linkKind = z.enum(['invitation', 'password']);
export type LinkKind = z.output<typeof linkKind>;

/** The storage key for the kind of link that opened this tab. The secret is never stored. */
const name = 'engawa:link';
type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;

/** Returns the part of an invitation or password link after `#`, and removes it from the address and the history. */
export function takeLink(
  {
    location: { hash, pathname },
    history,
  }: {
    readonly location: Pick<Location, 'hash' | 'pathname'>;
    readonly history: Pick<History, 'replaceState'>;
  },
  storage: TabStorage,
): string | undefined {
  const kind = pattern.exec(hash)?.[1];
  if (kind === undefined) return undefined;
  history.replaceState(null, '', pathname);
  try {
    storage?.setItem(name, kind);
  } catch (error) {
    // If the storage is full, a reload does not ask to open the link again.
    if (!(error instanceof DOMException)) throw error;
  }
  return hash;
}

export function reloadedLink(
  { location: { hash } }: { readonly location: Pick<Location, 'hash'> },
  storage: TabStorage,
): LinkKind | undefined {
  if (hash !== '') forgetLink(storage);
  return linkKind.safeParse(storage?.getItem(name)).data;
}

export function forgetLink(storage: TabStorage): void {
  storage?.removeItem(name);
}

export function followLinks({ location }: Window): void {
  addEventListener('hashchange', () => pattern.test(location.hash) && location.reload());
}
