/**
 * What was said, for the beginning of an answer: each line after a `>`, as readers of any client know a quote. What it
 * quotes itself lies deeper in it, and code stays code. Whom it mentions is not called again, as in every quote.
 * @param about Who said it, when and where.
 */
export function quoteOf(about: string, text: string): string {
  return [about, ...text.split('\n')].map((line) => `> ${line}`.trimEnd() + '\n').join('');
}

/**
 * A draft with a quote more. What is written already is the answer, unless it answers a quote: then it stays below that
 * one, and its next one follows.
 */
export function withQuote(draft: string, quote: string): string {
  if (draft.trim() === '') return quote;
  return /^>(?!\S)/m.test(draft) ? `${draft.trimEnd()}\n\n${quote}` : `${quote}\n${draft}`;
}
