import type { Block, Inline } from '@engawa/markup';
import { parseZulip } from '@engawa/markup/dialects';
import { emojiOf } from './reactions.ts';

/** The parser of Zulip's markup, with the characters of the emoji that it names. Emoji of the organisation stay names. */
export async function loadParser(): Promise<(text: string) => readonly Block[]> {
  const codes = await loadCodes();

  const inline = (node: Inline): Inline => {
    if ('children' in node) return { ...node, children: node.children.map(inline) };
    const code = node.kind === 'emoji' && Object.hasOwn(codes, node.name) ? codes[node.name] : undefined;
    return code === undefined ? node : { kind: 'text', text: emojiOf(code) };
  };

  const block = (each: Block): Block => {
    switch (each.kind) {
      case 'paragraph':
      case 'heading':
        return { ...each, children: each.children.map(inline) };
      case 'quote':
        return { ...each, children: each.children.map(block) };
      case 'spoiler':
        return { ...each, title: each.title.map(inline), children: each.children.map(block) };
      case 'list':
        return { ...each, items: each.items.map((item) => item.map(block)) };
      case 'table': {
        const cells = (row: readonly (readonly Inline[])[]) => row.map((cell) => cell.map(inline));
        return { ...each, head: cells(each.head), rows: each.rows.map(cells) };
      }
      default:
        return each;
    }
  };

  return (text) => parseZulip(text).map(block);
}

async function loadCodes(): Promise<Readonly<Record<string, string>>> {
  try {
    return await (await import('./emojiCodes.ts')).loadEmojiCodes();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The table cannot be loaded, so the names stay.
    return {};
  }
}
