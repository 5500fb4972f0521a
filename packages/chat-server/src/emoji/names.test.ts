import { expect, it } from 'vitest';
import { emojiCodeOf, emojiNamesByCode } from './names.ts';
import { zulipNames } from './zulipNames.ts';

it.each([
  ['smile', '1f642'],
  ['+1', '1f44d'],
  ['tada', '1f389'],
  ['heart', '2764'],
  ['flag-jp', '1f1ef-1f1f5'],
  ['bow', '1f647'],
  ['octopus', '1f419'],
  ['rolling_on_the_floor_laughing', '1f923'],
])('emojiCodeOf maps %s to %s, as the Zulip API does', (name, code) => {
  expect(emojiCodeOf(name)).toBe(code);
});

it('emojiCodeOf returns undefined for unknown names', () => {
  expect(emojiCodeOf('15')).toBeUndefined();
  expect(emojiCodeOf('constructor')).toBeUndefined();
});

it('No emoji in zulipNames contains a variation selector (U+FE0F)', () => {
  expect(Object.values(zulipNames).filter((emoji) => emoji.includes('\ufe0f'))).toEqual([]);
});

it.each([
  ['Zulip’s name', '1f44d', 'thumbs_up'],
  ['the first name of the first list, if Zulip has none', '2709', 'email'],
])('The first name of an emoji in emojiNamesByCode is %s', (_, code, name) => {
  expect(emojiNamesByCode()[code]?.[0]).toBe(name);
});

it('emojiNamesByCode gathers the names once', () => {
  expect(emojiNamesByCode()).toBe(emojiNamesByCode());
});
