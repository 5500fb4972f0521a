import type { Endpoint } from '@engawa/protocol';

interface RequestLine {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
}

/** The path of a call without the query, and without doubled and trailing slashes, as the embedded server reads it. */
export function pathOf({ url }: Pick<RequestLine, 'url'>): string {
  return url
    .split('?', 1)
    .join('')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
}

/** The ids in the path of a call to this endpoint; undefined if it is a call to another one. */
export function idsIn(call: RequestLine, endpoint: Endpoint): Readonly<Record<string, number>> | undefined {
  if (call.method !== endpoint.method) return undefined;
  const path = pathOf(call).split('/');
  const segments = `/api/v1${endpoint.path}`.split('/');
  if (path.length !== segments.length) return undefined;
  const ids: Record<string, number> = {};
  for (const [index, segment] of segments.entries()) {
    const arrived = path[index] ?? '';
    if (!segment.startsWith('{')) {
      if (arrived !== segment) return undefined;
    } else if (/^\d{1,15}$/.test(arrived)) ids[segment.slice(1, -1)] = Number(arrived);
    else return undefined;
  }
  return ids;
}
