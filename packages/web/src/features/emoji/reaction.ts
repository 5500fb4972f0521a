import { codeOf, type Emoji } from '../../model/timeline/reactions.ts';

/** An emoji of the picker as a reaction names it. Rejects where its name cannot be fetched. */
export async function reactionOf(emoji: string): Promise<Emoji> {
  const { default: names } = await import('virtual:emoji-names');
  const code = codeOf(emoji);
  return { name: names[code] ?? '', code, type: 'unicode_emoji' };
}
