import { parseEngawa } from './parseEngawa.ts';
import { type QuotingBlock, quoteCards } from './quoteCards.ts';
import { type Inline, type Mention, inlineText } from './tree.ts';

interface PlainTextOptions {
  /** Returns the text for a mention. Undefined means the mention as typed, without its marks. */
  readonly formatMention?: (mention: Mention) => string | undefined;
  /** Whether an address is that of a message, which is left out of the quote of that message. */
  readonly isMessage?: (href: string) => boolean;
}

export function plainText(
  text: string,
  { formatMention = () => undefined, isMessage = () => false }: PlainTextOptions = {},
): string {
  const inlines = (nodes: readonly Inline[]): string => nodes.map(inline).join('');
  const inline = (node: Inline): string => {
    if ('children' in node) return inlines(node.children);
    return ('silent' in node ? formatMention(node) : undefined) ?? inlineText(node);
  };
  const block = (each: QuotingBlock): string => {
    if (each.kind === 'code-block') return each.text;
    if (each.kind === 'paragraph') return inlines(each.children);
    const quoted = blocksText(each.children);
    return each.kind === 'quote' ? quoted : `${each.about}\n${quoted}`;
  };
  const blocksText = (blocks: readonly QuotingBlock[]): string => blocks.map(block).join('\n');
  return blocksText(quoteCards(parseEngawa(text), isMessage));
}
