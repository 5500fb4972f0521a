import type { Message } from '@engawa/protocol';

/** An emoji as reactions name it: its name, code and type. */
export interface Emoji {
  readonly name: string;
  readonly code: string;
  /** `unicode_emoji`, or the type of the organisation's own emoji. */
  readonly type: string;
}

export interface ReactionView {
  readonly key: string;
  readonly emoji: Emoji;
  /** The character, or `:name:` if the emoji is no character. */
  readonly shown: string;
  readonly userIds: readonly number[];
  readonly mine: boolean;
}

export function reactionsOf({ reactions }: Message, memberId: number | undefined): readonly ReactionView[] {
  const byEmoji = Map.groupBy(reactions, ({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`);
  return [...byEmoji].map(([key, alike]) => {
    const { emoji_name: name = '', emoji_code: code = '', reaction_type: type = '' } = alike[0] ?? {};
    const userIds = alike.map(({ user_id }) => user_id);
    return {
      key,
      emoji: { name, code, type },
      shown: type === 'unicode_emoji' ? emojiOf(code) : `:${name}:`,
      userIds,
      mine: memberId !== undefined && userIds.includes(memberId),
    };
  });
}

const needsSelector = /(?=\p{Emoji})\P{Emoji_Presentation}(?!\p{Emoji_Modifier})/gu;

/** @param code Hexadecimal code points joined by `-`, without FE0F. FE0F is added where a browser could show a text character. */
export function emojiOf(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (!points.every((point) => point >= 0 && point <= 0x10_ffff)) return '';
  return String.fromCodePoint(...points).replace(needsSelector, '$&\ufe0f');
}
