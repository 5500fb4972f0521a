import type { IncomingHttpHeaders } from 'node:http';

type Origin = 'same' | 'foreign' | 'unknown';

export interface IncomingRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly ownOrigins: readonly string[];
}

/** Pages cannot forge Sec-Fetch-Site. Over plain http browsers send only Origin, with every change. */
function originOf({ headers, ownOrigins }: Pick<IncomingRequest, 'headers' | 'ownOrigins'>): Origin {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'foreign';
  const { origin } = headers;
  if (origin === undefined) return 'unknown';
  return ownOrigins.includes(origin.toLowerCase()) ? 'same' : 'foreign';
}

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Browsers send cookies automatically, so they count only from the product's own pages. Other credentials are sent on purpose.
 */
export function mayChange(incoming: IncomingRequest, hasSessionCookie: boolean): boolean {
  if (harmless.has(incoming.method) || incoming.headers.authorization !== undefined) return true;
  const origin = originOf(incoming);
  return origin === 'same' || (origin === 'unknown' && !hasSessionCookie);
}

/** Whether another site led the browser here. Without Sec-Fetch-Site the Referer decides. */
export function isForeignNavigation({ headers, ownOrigins }: Pick<IncomingRequest, 'headers' | 'ownOrigins'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { referer } = headers;
  return referer !== undefined && !(URL.canParse(referer) && ownOrigins.includes(new URL(referer).origin));
}
