/** R4.7.1: whether nothing of a text can be seen: blanks of any kind, and characters that have no shape of their own. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Z}\p{Cf}\p{Cc}]*$/u.test(text);
}
