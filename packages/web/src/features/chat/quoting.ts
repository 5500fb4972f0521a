/**
 * What was said, for the beginning of an answer: each line after a `>`, as readers of any client know a quote. Whom it
 * mentions, members and departments, is not called again.
 * @param about Who said it, when and where.
 */
export function quoteOf(about: string, text: string): string {
  const lines = [about, ...text.replaceAll('@*', '@_*').split('\n')];
  return lines.map((line) => `> ${line}`.trimEnd() + '\n').join('');
}
