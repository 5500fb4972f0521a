import { parseEngawa } from './parseEngawa.ts';
import { type EngawaBlock, readingOf } from './tree.ts';

/** The text as it reads without its marks, for previews and announcements. */
export function plainText(text: string): string {
  return readingIn(parseEngawa(text));
}

function readingIn(blocks: readonly EngawaBlock[]): string {
  return blocks.map(readingOfBlock).join('\n');
}

function readingOfBlock(block: EngawaBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return block.children.map(readingOf).join('');
    case 'code-block':
      return block.text;
    case 'quote':
      return readingIn(block.children);
  }
}
