import { type Block, type Inline, inlineText } from '../tree.ts';

/**
 * A tree as one line: `[strong …]` for a mark, `<address>` or `<label address>` for a link, `{kind text}` for other
 * inlines, `(kind …)` for a block, `¶` between blocks.
 */
export function outline(blocks: readonly Block[]): string {
  return blocks.map(ofBlock).join('¶');
}

function ofBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return inlines(block.children);
    case 'code-block':
      return `[block ${block.language === '' ? '' : `${block.language}: `}${block.text}]`;
    case 'math-block':
      return `(math ${block.text})`;
    case 'heading':
      return `(h${block.level} ${inlines(block.children)})`;
    case 'quote':
      return `(quote ${outline(block.children)})`;
    case 'spoiler':
      return `(spoiler ${inlines(block.title)}: ${outline(block.children)})`;
    case 'list':
      return `(list ${block.start ?? '•'} ${block.items.map(outline).join(' | ')})`;
    case 'rule':
      return '(rule)';
    case 'table':
      return `(table ${[block.head, ...block.rows].map((row) => row.map(inlines).join(' | ')).join(' / ')})`;
  }
}

const inlines = (nodes: readonly Inline[]): string => nodes.map(ofInline).join('');

function ofInline(node: Inline): string {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'code') return `[code ${node.text}]`;
  if (node.kind === 'link') return node.label === node.href ? `<${node.href}>` : `<${node.label} ${node.href}>`;
  return 'children' in node ? `[${node.kind} ${inlines(node.children)}]` : `{${node.kind} ${inlineText(node)}}`;
}
