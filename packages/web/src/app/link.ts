/** Links to join, or to set a password: each holds a secret that is good for once. */
const pattern = /^#\/(invitation|password)\//;

/** The hash of such a link, which no longer stands in the address, nor in the browser's history. */
export function takeLink({
  location: { hash, pathname },
  history,
}: {
  readonly location: Pick<Location, 'hash' | 'pathname'>;
  readonly history: Pick<History, 'replaceState'>;
}): string | undefined {
  if (!pattern.test(hash)) return undefined;
  history.replaceState(null, '', pathname);
  return hash;
}

/** Whoever follows a link in a tab that is open already: the page begins anew with it. */
export function followLinks({ location }: Window): void {
  addEventListener('hashchange', () => pattern.test(location.hash) && location.reload());
}
