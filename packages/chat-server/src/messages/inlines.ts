import { type Block, type Inline, dialectOf } from '@engawa/markup';
import { parseMarkup } from '@engawa/markup/dialects';
import { parseFileMessage } from '@engawa/protocol';
import type { MessageRow } from './store.ts';

type Text = Pick<MessageRow, 'content' | 'client'>;
interface FoundInline {
  readonly node: Inline;
  readonly isQuoted: boolean;
}

/** Visits the innermost inline nodes of a message, except code blocks. A file message has no such nodes. */
export function* inlinesOf({ content, client }: Text): Generator<FoundInline, void> {
  if (!parseFileMessage(content)) yield* inBlocks(parseMarkup(content, dialectOf(client)), false);
}

function* inBlocks(blocks: readonly Block[], isQuoted: boolean): Generator<FoundInline, void> {
  for (const block of blocks) yield* inBlock(block, isQuoted);
}

function* inBlock(block: Block, isQuoted: boolean): Generator<FoundInline, void> {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      yield* inRow(block.children, isQuoted);
      break;
    case 'quote':
      yield* inBlocks(block.children, true);
      break;
    case 'spoiler':
      yield* inRow(block.title, isQuoted);
      yield* inBlocks(block.children, isQuoted);
      break;
    case 'list':
      for (const item of block.items) yield* inBlocks(item, isQuoted);
      break;
    case 'table':
      for (const cell of [block.head, ...block.rows].flat()) yield* inRow(cell, isQuoted);
      break;
    case 'code-block':
    case 'math-block':
    case 'rule':
  }
}

function* inRow(nodes: readonly Inline[], isQuoted: boolean): Generator<FoundInline, void> {
  for (const node of nodes) {
    if ('children' in node) yield* inRow(node.children, isQuoted);
    else yield { node, isQuoted };
  }
}
