import { parseEngawa } from './parseEngawa.ts';
import { type EngawaBlock, type Inline, type Mention, inlineText } from './tree.ts';

/** How a mention is shown; undefined: as it was typed, without its marks. */
type MentionFormatter = (mention: Mention) => string | undefined;

/** The text as it reads without its marks, for previews and announcements. */
export function plainText(text: string, shown: MentionFormatter = () => undefined): string {
  return readingIn(parseEngawa(text), shown);
}

function readingIn(blocks: readonly EngawaBlock[], shown: MentionFormatter): string {
  return blocks.map((block) => readingOfBlock(block, shown)).join('\n');
}

function readingOfBlock(block: EngawaBlock, shown: MentionFormatter): string {
  switch (block.kind) {
    case 'paragraph':
      return readingOfInlines(block.children, shown);
    case 'code-block':
      return block.text;
    case 'quote':
      return readingIn(block.children, shown);
  }
}

function readingOfInlines(nodes: readonly Inline[], shown: MentionFormatter): string {
  return nodes.map((node) => readingOfInline(node, shown)).join('');
}

function readingOfInline(node: Inline, shown: MentionFormatter): string {
  switch (node.kind) {
    case 'strong':
    case 'emphasis':
    case 'strike':
    case 'underline':
      return readingOfInlines(node.children, shown);
    case 'user-mention':
    case 'wildcard-mention':
    case 'group-mention':
      return shown(node) ?? inlineText(node);
    default:
      return inlineText(node);
  }
}
