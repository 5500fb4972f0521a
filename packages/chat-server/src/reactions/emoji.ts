import type { addReaction, ParametersOut } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { emojiCodeOf, isEmojiCode } from '../emoji/names.ts';
import { refused } from '../errors.ts';
import { realmEmoji } from '../realm/store.ts';
import type { ReactionRow } from './store.ts';

/** The emoji of a reaction. Code and type identify it; the name is the one at the time of the reaction. */
export type Emoji = Pick<ReactionRow, 'emoji_name' | 'emoji_code' | 'reaction_type'>;
type EmojiRequest = Pick<ParametersOut<typeof addReaction>, 'emoji_name' | 'emoji_code' | 'reaction_type'>;

/** The code and name of the only emoji that is neither Unicode nor custom. */
const extraEmoji = 'zulip';

/** The requested emoji, still unchecked. Properties that the request does not have are found by the name. */
export function requestedEmoji(reader: Reader, { emoji_name, emoji_code, reaction_type }: EmojiRequest): Emoji {
  const type = reaction_type === undefined ? undefined : typeNamed(reaction_type);
  if (emoji_code !== undefined && type !== undefined) return { emoji_name, emoji_code, reaction_type: type };
  const named = emojiNamed(reader, emoji_name);
  return { emoji_name, emoji_code: emoji_code ?? named.emoji_code, reaction_type: type ?? named.reaction_type };
}

const types = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;

function typeNamed(name: string): Emoji['reaction_type'] {
  const known = types.find((type) => type === name);
  if (!known) throw refused.because('Invalid emoji type.');
  return known;
}

/** Custom emoji take precedence over Unicode emoji. */
export function emojiNamed(reader: Reader, emoji_name: string): Emoji {
  const own = realmEmoji.byName(reader, emoji_name);
  if (own) return { emoji_name, emoji_code: String(own.id), reaction_type: 'realm_emoji' };
  if (emoji_name === extraEmoji) return { emoji_name, emoji_code: extraEmoji, reaction_type: 'zulip_extra_emoji' };
  const emoji_code = emojiCodeOf(emoji_name);
  if (emoji_code === undefined) throw refused.because(`Emoji '${emoji_name}' does not exist`);
  return { emoji_name, emoji_code, reaction_type: 'unicode_emoji' };
}

export function checkEmoji(reader: Reader, { emoji_name, emoji_code, reaction_type }: Emoji): void {
  switch (reaction_type) {
    case 'realm_emoji': {
      const own = /^\d{1,15}$/.test(emoji_code) ? realmEmoji.byId(reader, Number(emoji_code)) : undefined;
      if (!own || String(own.id) !== emoji_code) throw refused.because('Invalid custom emoji.');
      if (own.name !== emoji_name) throw refused.because('Invalid custom emoji name.');
      if (own.deactivated === 1) throw refused.because('This custom emoji has been deactivated.');
      return;
    }
    case 'zulip_extra_emoji':
      if (emoji_code !== extraEmoji) throw refused.because('Invalid emoji code.');
      if (emoji_name !== extraEmoji) throw refused.because('Invalid emoji name.');
      return;
    case 'unicode_emoji':
      if (!isEmojiCode(emoji_code)) throw refused.because('Invalid emoji code.');
      if (emojiCodeOf(emoji_name) !== emoji_code) throw refused.because('Invalid emoji name.');
  }
}
