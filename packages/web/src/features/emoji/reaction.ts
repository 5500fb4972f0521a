import { codeOf } from '../../model/timeline/emojiCode.ts';
import type { Emoji } from '../../model/timeline/reactions.ts';

/** The reaction of a picked emoji. Rejects if the table of names cannot be loaded. */
export async function reactionOf(emoji: string): Promise<Emoji> {
  const { default: names } = await import('virtual:emoji-names');
  const code = codeOf(emoji);
  return { name: names[code] ?? '', code, type: 'unicode_emoji' };
}
