import { parseEngawa } from './parseEngawa.ts';
import { type EngawaBlock, type Inline, type Mention, readingOf } from './tree.ts';

/** How a mention is shown; undefined: as it was typed, without its marks. */
type ShownMention = (mention: Mention) => string | undefined;

/** The text as it reads without its marks, for previews and announcements. */
export function plainText(text: string, shown: ShownMention = () => undefined): string {
  return readingIn(parseEngawa(text), shown);
}

function readingIn(blocks: readonly EngawaBlock[], shown: ShownMention): string {
  return blocks.map((block) => readingOfBlock(block, shown)).join('\n');
}

function readingOfBlock(block: EngawaBlock, shown: ShownMention): string {
  switch (block.kind) {
    case 'paragraph':
      return readingOfInlines(block.children, shown);
    case 'code-block':
      return block.text;
    case 'quote':
      return readingIn(block.children, shown);
  }
}

function readingOfInlines(nodes: readonly Inline[], shown: ShownMention): string {
  return nodes.map((node) => readingOfInline(node, shown)).join('');
}

function readingOfInline(node: Inline, shown: ShownMention): string {
  switch (node.kind) {
    case 'strong':
    case 'emphasis':
    case 'strike':
    case 'underline':
      return readingOfInlines(node.children, shown);
    case 'user-mention':
    case 'wildcard-mention':
    case 'group-mention':
      return shown(node) ?? readingOf(node);
    default:
      return readingOf(node);
  }
}
