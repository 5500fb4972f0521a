import { sanitizeFileName } from '@engawa/protocol';

/** The escapes of browsers in form names (WHATWG, multipart/form-data encoding algorithm). */
const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

export function nameInForm(filename: string): string {
  return sanitizeFileName(filename.replace(/%22|%0D|%0A/g, (escaped) => escapes[escaped] ?? escaped));
}
