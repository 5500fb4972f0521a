import { selectCustomEmoji } from './customEmoji.ts';
import type { PeopleState } from './state.ts';

/** The reaction of a custom emoji that was picked as `:name:`. */
export function selectCustomReaction(state: PeopleState, picked: string) {
  const emoji = picked.startsWith(':') ? selectCustomEmoji(state).get(picked.slice(1, -1)) : undefined;
  return emoji && { name: emoji.name, code: emoji.id, type: 'realm_emoji' };
}
