import { closingFence } from './closingFence.ts';
import { openingFence } from './fences.ts';
import { parseEngawa } from './parseEngawa.ts';
import { quoteCards, type AddressTest, type QuoteCard } from './quoteCards.ts';

export interface FoundQuote {
  readonly card: QuoteCard;
  readonly from: number;
  readonly to: number;
}

const codeFence = '```';

/** Finds the quotes of a text that name their message, with the positions of their lines. Quotes in quotes are not listed. */
export function quotesIn(text: string, isMessage: AddressTest): FoundQuote[] {
  const lines = text.split('\n');
  const found: FoundQuote[] = [];
  let inCode = false;
  for (let at = 0, from = 0; at < lines.length;) {
    const next: number = inCode ? at + 1 : quoteEnd(lines, at);
    const part = lines.slice(at, next).join('\n');
    const isQuote = !inCode && (next > at + 1 || isQuoted(part));
    const [card, ...others] = isQuote ? quoteCards(parseEngawa(part), isMessage) : [];
    if (card?.kind === 'quote-card' && others.length === 0) found.push({ card, from, to: from + part.length });
    else if (!isQuote && part.split(codeFence).length % 2 === 0) {
      inCode = !inCode && text.includes(codeFence, from + part.length);
    }
    from += part.length + 1;
    at = next;
  }
  return found;
}

const isQuoted = (line: string): boolean => /^>(?!\S)/.test(line);

/** The index after the quote that begins at a line; after the line itself if none does. */
function quoteEnd(lines: readonly string[], at: number): number {
  let next = at;
  while (isQuoted(lines[next] ?? '')) next += 1;
  if (next > at) return next;
  const fence = /\]\(.*[:：]\s*$/.test(lines[at] ?? '') ? openingFence(lines[at + 1] ?? '') : undefined;
  return fence?.kind === 'quote' ? Math.min(closingFence(fence, lines, at + 2) + 1, lines.length) : at + 1;
}
