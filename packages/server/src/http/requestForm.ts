import type { IncomingMessage } from 'node:http';

/** What any call of ours, any file of the screens and any client of the chat API asks with. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Of which Node keeps the first and forgets the others, whatever a proxy before us went by. */
const single = ['host', 'authorization', 'content-type', 'content-length', 'transfer-encoding'] as const;

/** Headers of one request; a browser sends some twenty. */
const mostHeaders = 100;

/**
 * What makes a request ambiguous: two servers that read it, one behind the other, would not read the same, and so one
 * of them lets through what the other should have stopped.
 */
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

/**
 * Whether a target is a path that everybody reads the same: from a slash, without a host of its own, and without what
 * one takes for a separator, a step upwards or an end and another does not. Its query may hold anything.
 */
function isPlain(target: string): boolean {
  const path = target.split('?', 1).join('');
  return path.startsWith('/') && !target.includes('#') && !/\\|%(?:00|2e|2f|5c)|\/\.{1,2}(?:\/|$)/i.test(path);
}
