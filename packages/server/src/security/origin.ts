import type { IncomingHttpHeaders } from 'node:http';

type Origin = 'same' | 'foreign' | 'unknown';

/** A request, and what it was asked at. */
export interface IncomingRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the addresses of our pages, as `https://chat.example.com`. */
  readonly ownOrigins: readonly string[];
}

/**
 * Where a request comes from, as the browser says it. Sec-Fetch-Site cannot be forged by a page; browsers send it on
 * secure origins and loopback. Elsewhere Origin says it, which every browser sends with a change.
 */
function originOf({ headers, ownOrigins }: Pick<IncomingRequest, 'headers' | 'ownOrigins'>): Origin {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'foreign';
  const { origin } = headers;
  if (origin === undefined) return 'unknown';
  return ownOrigins.includes(origin.toLowerCase()) ? 'same' : 'foreign';
}

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request may change something as far as its origin goes. Credentials in a header were put there by the
 * caller; a cookie comes along by itself, so with it the caller proves to be a page of ours.
 */
export function mayChange(incoming: IncomingRequest, hasSessionCookie: boolean): boolean {
  if (harmless.has(incoming.method) || incoming.headers.authorization !== undefined) return true;
  const origin = originOf(incoming);
  return origin === 'same' || (origin === 'unknown' && !hasSessionCookie);
}

/** Whether another site led the browser here. Without Sec-Fetch-Site the Referer says it, where there is one. */
export function isForeignNavigation({ headers, ownOrigins }: Pick<IncomingRequest, 'headers' | 'ownOrigins'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { referer } = headers;
  return referer !== undefined && !(URL.canParse(referer) && ownOrigins.includes(new URL(referer).origin));
}
