/**
 * Quotes a text with `>` on each line, as every client shows it. Nested quotes and code stay as they are. Mentions in a quote
 * notify nobody.
 * @param about Sender, time and link.
 */
export function quoteOf(about: string, text: string): string {
  return [about, ...text.split('\n')].map((line) => `> ${line}`.trimEnd() + '\n').join('');
}

/**
 * Adds a quote to a draft. Existing text is the answer and moves below the quote, unless it answers an earlier quote: then the
 * new quote follows it.
 */
export function withQuote(draft: string, quote: string): string {
  if (draft.trim() === '') return quote;
  return /^>(?!\S)/m.test(draft) ? `${draft.trimEnd()}\n\n${quote}` : `${quote}\n${draft}`;
}
