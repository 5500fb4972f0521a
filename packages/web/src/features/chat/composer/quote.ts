/** Quotes each line with `>`, as every client shows it. Mentions in a quote notify nobody. @param about Sender, time, link. */
export function quoteOf(about: string, text: string): string {
  return [about, ...text.split('\n')].map((line) => `> ${line}`.trimEnd() + '\n').join('');
}

/** Adds a quote to a draft. Existing text moves below it as its answer, unless it answers an earlier quote. */
export function withQuote(draft: string, quote: string): string {
  if (draft.trim() === '') return quote;
  return /^>(?!\S)/m.test(draft) ? `${draft.trimEnd()}\n\n${quote}` : `${quote}\n${draft}`;
}
