import { parseEngawa } from './parseEngawa.ts';
import { type EngawaBlock, type Inline, type Mention, inlineText } from './tree.ts';

/** Returns the text for a mention. Undefined means the mention as typed, without its marks. */
type MentionFormatter = (mention: Mention) => string | undefined;

export function plainText(text: string, formatMention: MentionFormatter = () => undefined): string {
  return blocksText(parseEngawa(text), formatMention);
}

function blocksText(blocks: readonly EngawaBlock[], formatMention: MentionFormatter): string {
  const inlines = (nodes: readonly Inline[]): string => nodes.map(inline).join('');
  const inline = (node: Inline): string => {
    if ('children' in node) return inlines(node.children);
    return ('silent' in node ? formatMention(node) : undefined) ?? inlineText(node);
  };
  const block = (each: EngawaBlock): string => {
    if (each.kind === 'code-block') return each.text;
    return each.kind === 'quote' ? blocksText(each.children, formatMention) : inlines(each.children);
  };
  return blocks.map(block).join('\n');
}
