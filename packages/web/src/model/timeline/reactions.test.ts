import { expect, it } from 'vitest';
import { emojiNames, emojiTable } from '../../../build/emoji.ts';
import { ai, general, ken, messageOf } from '../../../test/organisation.ts';
import { codeOf } from './emojiCode.ts';
import { emojiOf, reactionsOf } from './reactions.ts';

const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
const own = { emoji_name: 'engawa', emoji_code: '7', reaction_type: 'realm_emoji' };
const picked = Object.values(emojiTable())
  .flat()
  .map(({ emoji }) => emoji);

it('[R3.2] reactionsOf groups the members of a message’s reactions by emoji, the oldest emoji first', () => {
  const reactions = [
    { ...thumb, user_id: ken.user_id },
    { ...own, user_id: ken.user_id },
    { ...thumb, emoji_name: 'thumbs_up', user_id: ai.user_id },
  ];
  const views = reactionsOf({ ...messageOf(1, ken, general, '完成'), reactions }, ai.user_id);
  expect(views).toEqual([
    expect.objectContaining({
      shown: '👍',
      userIds: [2, 1],
      mine: true,
      emoji: { name: '+1', code: '1f44d', type: 'unicode_emoji' },
    }),
    expect.objectContaining({ shown: ':engawa:', userIds: [2], mine: false }),
  ]);
});

const asPicture = (emoji: string) => emoji.replaceAll('\ufe0f', '');

it('emojiOf returns the character of every emoji in the picker', () => {
  expect(picked.map((emoji) => asPicture(emojiOf(codeOf(emoji))))).toEqual(picked.map(asPicture));
  expect(emojiOf('2764')).toBe('❤️');
  expect(emojiOf('0031-20e3')).toBe('1️⃣');
  expect(emojiOf('1f468-200d-2764-200d-1f468')).toBe('👨‍❤️‍👨');
  expect(emojiOf('261d-1f3fd')).toBe('☝🏽');
  expect(emojiOf('1f44d')).toBe('👍');
});

it('emojiOf returns nothing for an invalid code', () => {
  expect(emojiOf('zulip')).toBe('');
});

it('The server has a name for every emoji of the picker', () => {
  const names = emojiNames();
  const nameless = picked.filter((emoji) => names[codeOf(emoji)] === undefined);
  expect(nameless).toEqual([]);
  expect(names).toMatchObject({ '1f44d': '+1', '1f604': expect.not.stringMatching(/^smile$/) });
});
