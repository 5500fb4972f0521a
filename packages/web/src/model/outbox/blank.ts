/** R4.7.1: whether a text shows nothing: only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Z}\p{Cf}\p{Cc}]*$/u.test(text);
}
