/**
 * Characters that nobody sees and that would show a name as another: `gpj.exe` after U+202E reads as `exe.jpg`. Those that
 * end a line, and those that say in which direction a text is written.
 */
const disguises = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A file's name as people see it: composed characters (macOS sends them decomposed), and nothing that no name could hold
 * or that would disguise it. A name that was made so stays as it is.
 */
export function sanitizeFileName(name: string): string {
  return name.normalize('NFC').toWellFormed().replace(disguises, '_').trim();
}
