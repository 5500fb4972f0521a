import { type Block, type Inline, dialectOf, parseMarkup, inlineText } from '@engawa/markup';
import { parseFileMessage, defaultTopic } from '@engawa/protocol';
import type { Row } from '../schema.ts';

/** What of a message is searched. */
export type Searched = Pick<Row<'message'>, 'content' | 'client' | 'topic'>;

/** What a member reads of a message, in texts that stand each for itself. Of a file message its original name. */
export function textsOf({ content, client, topic }: Searched): string[] {
  const file = parseFileMessage(content);
  const text = file ? file.name : textOf(parseMarkup(content, dialectOf(client)));
  return isSeen(topic) ? [text, topic] : [text];
}

/** Nobody looks for a topic that is shown nowhere. */
export const isSeen = (topic: string): boolean => topic !== '' && topic !== defaultTopic;

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap(linesOf).join('\n');
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [reading(block.children)];
    case 'code-block':
    case 'math-block':
      return [block.text];
    case 'quote':
      return block.children.flatMap(linesOf);
    case 'spoiler':
      return [reading(block.title), ...block.children.flatMap(linesOf)];
    case 'list':
      return block.items.flat().flatMap(linesOf);
    case 'table':
      return [block.head, ...block.rows].flat().map(reading);
    case 'rule':
      return [];
  }
}

const reading = (nodes: readonly Inline[]): string => nodes.map(inlineText).join('');
