import type { ComponentType } from 'react';
import { emojiOf } from '../../../model/timeline/reactions.ts';
import { loadEmojiCodes } from './emojiCodes.ts';

export interface NamedEmojiProps {
  readonly name: string;
}

/** The view of an emoji that Zulip's markup names. An emoji of the organisation, or an unknown one, stays a name. */
export async function loadNamedEmoji(): Promise<ComponentType<NamedEmojiProps>> {
  const codes = await loadEmojiCodes();
  return function NamedEmoji({ name }) {
    const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
    return code === undefined ? `:${name}:` : <span title={`:${name}:`}>{emojiOf(code)}</span>;
  };
}
