import { sanitizeFileName } from '@engawa/protocol';

/** As browsers write these characters into a form (WHATWG, multipart/form-data encoding algorithm). */
const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** The name of a file as a form carries it, read as it was before the browser wrote it there. */
export function nameInForm(filename: string): string {
  return sanitizeFileName(filename.replace(/%22|%0D|%0A/g, (escaped) => escapes[escaped] ?? escaped));
}
