import type { IncomingMessage } from 'node:http';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Headers that must not repeat: Node uses the first one, but a proxy may use the last one. */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'content-length', 'transfer-encoding']);

const mostHeaders = 100;

/** A proxy and this server could read an ambiguous request differently, so the proxy could pass a request that it should stop. */
export type FormFault = 'method' | 'target' | 'header-twice' | 'transfer-encoding' | 'headers';

export function faultOfForm(request: IncomingMessage): FormFault | undefined {
  const { method = '', url = '', headers, rawHeaders } = request;
  if (!methods.has(method)) return 'method';
  if (!isPlain(url)) return 'target';
  if (rawHeaders.length > 2 * mostHeaders) return 'headers';
  // `headers` has at most one key for each name. So if it has as many keys as there are headers, none repeats.
  if (Object.keys(headers).length < rawHeaders.length / 2 && repeatsOne(rawHeaders)) return 'header-twice';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'transfer-encoding';
  return undefined;
}

function repeatsOne(rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

/** Every server must read the target as the same path: no host, no encoded separator, dot segment or null before the query. */
function isPlain(target: string): boolean {
  const path = target.split('?', 1).join('');
  return path.startsWith('/') && !target.includes('#') && !/\\|%(?:00|2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}
