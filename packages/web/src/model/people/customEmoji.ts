import type { RealmEmoji } from '@engawa/protocol';
import { memoise } from '../memoise.ts';
import type { PeopleState } from './state.ts';

/** The emoji that can be used, by name. */
export const selectCustomEmoji = ({ customEmoji }: PeopleState): ReadonlyMap<string, RealmEmoji> => byName(customEmoji);

const byName = memoise(
  (all: readonly RealmEmoji[]): ReadonlyMap<string, RealmEmoji> =>
    new Map(all.filter(({ deactivated }) => !deactivated).map((emoji) => [emoji.name, emoji])),
);

/** The address of the picture. Texts do not show deactivated emoji. */
export const selectPictureOfEmoji = (state: PeopleState, name: string): string | undefined =>
  selectCustomEmoji(state).get(name)?.source_url;

/** The address of the picture of a reaction, also with a deactivated emoji. */
export const selectPictureOfReaction = ({ customEmoji }: PeopleState, type: string, code: string): string | undefined =>
  type === 'realm_emoji' ? customEmoji.find(({ id }) => id === code)?.source_url : undefined;
