import type { QuotingBlock } from './quoteCards.ts';
import { type Inline, type Mention, inlineText } from './tree.ts';

/**
 * The text of blocks without their marks. A spoiler hides its text.
 * @param formatMention Returns the text for a mention. Undefined means the mention as typed, without its marks.
 */
export function plainText(
  blocks: readonly QuotingBlock[],
  formatMention: (mention: Mention) => string | undefined = () => undefined,
): string {
  const inlines = (nodes: readonly Inline[]): string => nodes.map(inline).join('');
  const inline = (node: Inline): string => {
    if ('children' in node) return inlines(node.children);
    return ('silent' in node ? formatMention(node) : undefined) ?? inlineText(node);
  };
  const block = (each: QuotingBlock): string => {
    switch (each.kind) {
      case 'code-block':
      case 'math-block':
        return each.text;
      case 'paragraph':
      case 'heading':
        return inlines(each.children);
      case 'quote':
        return blocksText(each.children);
      case 'quote-card':
        return `${each.about}\n${blocksText(each.children)}`;
      case 'spoiler':
        return inlines(each.title);
      case 'list':
        return each.items.map((item, index) => `${markerOf(each.start, index)} ${blocksText(item)}`).join('\n');
      case 'table':
        return [each.head, ...each.rows].map((row) => row.map(inlines).join(' ')).join('\n');
      case 'rule':
        return '';
    }
  };
  const blocksText = (shown: readonly QuotingBlock[]): string => shown.map(block).join('\n');
  return blocksText(blocks);
}

const markerOf = (start: number | undefined, index: number): string => (start === undefined ? '•' : `${start + index}.`);
