/** As browsers write these characters into a form (WHATWG, multipart/form-data encoding algorithm). */
const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };

/** A name as a form carries it, read as it was before the browser wrote it there. */
export function nameInForm(filename: string): string {
  return originalName(filename.replace(/%22|%0D|%0A/g, (escaped) => escapes[escaped] ?? escaped));
}

/**
 * As its owner sees it: composed characters (macOS sends them decomposed), and nothing that no name could hold, or that
 * would turn its end about: `gpj.exe` after U+202E reads as `exe.jpg`.
 */
export function originalName(filename: string): string {
  return filename.normalize('NFC').toWellFormed().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '_').trim();
}
