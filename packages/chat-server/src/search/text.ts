import { type Block, type Inline, dialectOf, inlineText } from '@engawa/markup';
import { parseMarkup } from '@engawa/markup/dialects';
import { parseFileMessage, defaultTopic } from '@engawa/protocol';
import type { Row } from '../schema.ts';

export type Searched = Pick<Row<'message'>, 'content' | 'client' | 'topic'>;

/** The texts of a message that are searched, each on its own: its visible text or the name of its file, and its topic. */
export function textsOf({ content, client, topic }: Searched): string[] {
  const file = parseFileMessage(content);
  const text = file ? file.name : textOf(parseMarkup(content, dialectOf(client)));
  return isVisibleTopic(topic) ? [text, topic] : [text];
}

/** The web client does not show the default topic, so a search must not find it. */
export const isVisibleTopic = (topic: string): boolean => topic !== '' && topic !== defaultTopic;

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
