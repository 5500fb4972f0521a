import type { IncomingMessage } from 'node:http';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Headers that must not repeat: Node uses the first one, but a proxy may use the last one. */
const single = ['host', 'authorization', 'content-type', 'content-length', 'transfer-encoding'] as const;

const mostHeaders = 100;

/** A proxy and this server could read an ambiguous request differently, so the proxy could pass a request that it should stop. */
export type FormFault = 'method' | 'target' | 'header-twice' | 'transfer-encoding' | 'headers';

export function faultOfForm(request: IncomingMessage): FormFault | undefined {
  const { method = '', url = '', headers, rawHeaders } = request;
  if (!methods.has(method)) return 'method';
  if (!isPlain(url)) return 'target';
  if (rawHeaders.length > 2 * mostHeaders) return 'headers';
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (single.some((name) => names.indexOf(name) !== names.lastIndexOf(name))) return 'header-twice';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'transfer-encoding';
  return undefined;
}

/** Every server must read the target as the same path: no host, no encoded separator, dot segment or null before the query. */
function isPlain(target: string): boolean {
  const path = target.split('?', 1).join('');
  return path.startsWith('/') && !target.includes('#') && !/\\|%(?:00|2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}
