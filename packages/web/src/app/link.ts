/** Links to join, or to set a password: each holds a secret that is good for once. */
import { z } from 'zod';

const pattern = /^#\/(invitation|password)\//;
const linkKind = z.enum(['invitation', 'password']);
export type LinkKind = z.output<typeof linkKind>;

/** Which kind of link this tab was opened by; the secret is kept nowhere. */
const name = 'engawa:link';
type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;

/** The hash of such a link, which no longer stands in the address, nor in the browser's history. */
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
    // A full storage: then a reload says nothing of it.
    if (!(error instanceof DOMException)) throw error;
  }
  return hash;
}

/** What kind of link was here before the page was loaded anew, and has to be opened again. Who opens another place has left it. */
export function reloadedLink(
  { location: { hash } }: { readonly location: Pick<Location, 'hash'> },
  storage: TabStorage,
): LinkKind | undefined {
  if (hash !== '') forgetLink(storage);
  return linkKind.safeParse(storage?.getItem(name)).data;
}

/** It has served, or was left on purpose. */
export function forgetLink(storage: TabStorage): void {
  storage?.removeItem(name);
}

/** Whoever follows a link in a tab that is open already: the page begins anew with it. */
export function followLinks({ location }: Window): void {
  addEventListener('hashchange', () => pattern.test(location.hash) && location.reload());
}
