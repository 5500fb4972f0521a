/** Line ends and direction marks, which can disguise a name: `gpj.exe` after U+202E is shown as `exe.jpg`. */
const disguises = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** In composed characters (macOS sends them decomposed), with disguising characters replaced by `_`. Idempotent. */
export function sanitizeFileName(name: string): string {
  return name.normalize('NFC').toWellFormed().replace(disguises, '_').trim();
}
