import english from 'emojibase-data/en/compact.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { isEmojiCode } from '../emoji/names.ts';

/** Skin tones and hair styles, which the picker does not offer. */
const components = 2;

it('The server accepts every emoji of the emoji picker as a reaction', () => {
  const offered = english.filter(({ group }) => group !== undefined && group !== components);
  expect(offered.length).toBeGreaterThan(1800);
  const nameless = offered.filter(({ hexcode }) => !isEmojiCode(hexcode.toLowerCase().replaceAll('-fe0f', '')));
  expect(nameless.map(({ unicode }) => unicode)).toEqual([]);
});
