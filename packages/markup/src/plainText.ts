import { parseEngawa } from './parseEngawa.ts';
import { type EngawaBlock, type Inline, type Mention, inlineText } from './tree.ts';

/** The text of a mention; undefined: as typed, without its marks. */
type MentionFormatter = (mention: Mention) => string | undefined;

/** The text without marks, for previews and announcements. */
export function plainText(text: string, formatMention: MentionFormatter = () => undefined): string {
  return blocksText(parseEngawa(text), formatMention);
}

function blocksText(blocks: readonly EngawaBlock[], formatMention: MentionFormatter): string {
  return blocks.map((block) => blockText(block, formatMention)).join('\n');
}

function blockText(block: EngawaBlock, formatMention: MentionFormatter): string {
  switch (block.kind) {
    case 'paragraph':
      return inlinesText(block.children, formatMention);
    case 'code-block':
      return block.text;
    case 'quote':
      return blocksText(block.children, formatMention);
  }
}

function inlinesText(nodes: readonly Inline[], formatMention: MentionFormatter): string {
  return nodes.map((node) => formattedText(node, formatMention)).join('');
}

function formattedText(node: Inline, formatMention: MentionFormatter): string {
  switch (node.kind) {
    case 'strong':
    case 'emphasis':
    case 'strike':
    case 'underline':
      return inlinesText(node.children, formatMention);
    case 'user-mention':
    case 'wildcard-mention':
    case 'group-mention':
      return formatMention(node) ?? inlineText(node);
    default:
      return inlineText(node);
  }
}
