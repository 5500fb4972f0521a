import type { IncomingHttpHeaders } from 'node:http';

export type Origin = 'same' | 'foreign' | 'unknown';

/**
 * Where a request comes from, as the browser says it. Sec-Fetch-Site cannot be forged by a page; browsers send it on
 * secure origins and loopback. Elsewhere Origin says it, which every browser sends with a change.
 */
export function originOf(headers: IncomingHttpHeaders): Origin {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'foreign';
  const { origin } = headers;
  if (origin === undefined) return 'unknown';
  return isOwn(origin, headers) ? 'same' : 'foreign';
}

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request may change something as far as its origin goes. Credentials in a header were put there by the
 * caller; a cookie comes along by itself, so with it the caller proves to be a page of ours.
 */
export function mayChange(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  hasSessionCookie: boolean,
): boolean {
  if (harmless.has(method) || headers.authorization !== undefined) return true;
  const origin = originOf(headers);
  return origin === 'same' || (origin === 'unknown' && !hasSessionCookie);
}

/** Whether another site led the browser here. Without Sec-Fetch-Site the Referer says it, where there is one. */
export function isForeignNavigation(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { referer } = headers;
  return referer !== undefined && !isOwn(referer, headers);
}

function isOwn(address: string, headers: IncomingHttpHeaders): boolean {
  return URL.canParse(address) && new URL(address).host === headers.host?.toLowerCase();
}
