import { parseEngawa } from './parseEngawa.ts';
import { readingOf } from './tree.ts';

/** The text as it reads without its marks, for previews and announcements. */
export function plainText(text: string): string {
  return parseEngawa(text)
    .map((block) => (block.kind === 'code-block' ? block.text : block.children.map(readingOf).join('')))
    .join('\n');
}
