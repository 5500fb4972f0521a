import type { IncomingHttpHeaders } from 'node:http';

type Origin = 'same' | 'foreign' | 'unknown';

export interface IncomingRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly ownOrigins: () => readonly string[];
}

/** Pages cannot forge Sec-Fetch-Site. Over plain http browsers send only Origin, with every change. */
function originOf({ headers, ownOrigins }: Pick<IncomingRequest, 'headers' | 'ownOrigins'>): Origin {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'foreign';
  const { origin } = headers;
  if (origin === undefined) return 'unknown';
  return ownOrigins().includes(origin.toLowerCase()) ? 'same' : 'foreign';
}

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Browsers send cookies automatically, so a request with one must come from the product's own pages, whatever else it carries.
 * Other credentials are sent on purpose.
 */
export function mayChange(incoming: IncomingRequest, hasSessionCookie: () => boolean): boolean {
  if (harmless.has(incoming.method)) return true;
  const origin = originOf(incoming);
  if (hasSessionCookie()) return origin === 'same';
  return origin !== 'foreign' || incoming.headers.authorization !== undefined;
}
