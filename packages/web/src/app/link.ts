/** A link to join, or to set a password: one secret, good for once. */
export interface Link {
  readonly kind: 'invitation' | 'password';
  readonly token: string;
}

const pattern = /^#\/(invitation|password)\/(.*)$/;

/** The link of the address, which no longer stands there, nor in the browser's history; undefined where there is none. */
export function takeLink({
  location,
  history,
}: {
  readonly location: Pick<Location, 'hash' | 'pathname'>;
  readonly history: Pick<History, 'replaceState'>;
}): Link | undefined {
  const [, kind, token] = pattern.exec(location.hash) ?? [];
  if ((kind !== 'invitation' && kind !== 'password') || token === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return { kind, token };
}

/** Whoever follows a link in a tab that is open already: the page begins anew with it. */
export function followLinks(window: Window): void {
  window.addEventListener('hashchange', () => {
    if (pattern.test(window.location.hash)) window.location.reload();
  });
}
