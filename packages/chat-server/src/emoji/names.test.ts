import { expect, it } from 'vitest';
import { emojiCodeOf } from './names.ts';
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
])('%s is %s, as the chat API names it', (name, code) => {
  expect(emojiCodeOf(name)).toBe(code);
});

it('knows no emoji by a name that nothing bears', () => {
  expect(emojiCodeOf('15')).toBeUndefined();
  expect(emojiCodeOf('constructor')).toBeUndefined();
});

it('has codes without the selector that asks for a picture', () => {
  expect(Object.values(zulipNames).filter((emoji) => emoji.includes('\ufe0f'))).toEqual([]);
});
