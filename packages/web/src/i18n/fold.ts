/**
 * How a text is written when it is compared and never when it is shown: full and half width, capital and small,
 * katakana and hiragana become one.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u30a1-\u30f6]/g, (katakana) => String.fromCharCode(katakana.charCodeAt(0) - 0x60));
}

/** Whether every word of the query is somewhere in the texts. */
export function matches(query: string, ...texts: readonly string[]): boolean {
  const folded = texts.map(fold);
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.some((text) => text.includes(word)));
}
