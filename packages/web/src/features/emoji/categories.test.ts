import { expect, it } from 'vitest';
import { emojiTable } from '../../../build/emoji.ts';
import { officeWords } from '../../../build/emojiWords.ts';
import { ownEmoji, sectionsOf } from './categories.ts';

const table = emojiTable();
const found = (query: string) => sectionsOf(table, [], query).flatMap(({ emoji }) => emoji.map((entry) => entry.emoji));

it('[R2.22.2] The emoji picker has the six categories in the order of the specification', () => {
  const sections = sectionsOf(table, ['👍'], '');
  expect(sections.map(({ category }) => category)).toEqual(['frequent', 'people', 'nature', 'objects', 'places', 'symbols']);
  expect(sections.flatMap(({ emoji }) => emoji).length).toBeGreaterThan(1800);
});

it.each(['いいね', 'イイネ', 'ｲｲﾈ', 'thumbs up', 'THUMBS', '了解', 'りょうかい', 'LGTM'])(
  '[R2.23] The emoji search finds 👍 by %s',
  (query) => {
    expect(found(query)).toContain('👍');
  },
);

it.each([
  ['わらう', '😂'],
  ['なく', '😭'],
  ['おつかれ', '🍵'],
  ['お願いします', '🙇'],
  ['でんしゃ', '🚃'],
  ['party', '🎉'],
  ['bow', '🙇'],
])('[R2.23] The emoji search finds an emoji by the everyday word %s', (query, emoji) => {
  expect(found(query)).toContain(emoji);
});

it('[R2.23] The emoji search ranks whole words above prefixes, and finds no Latin word inside another', () => {
  const cats = sectionsOf(table, [], 'cat').find(({ category }) => category === 'people');
  expect(cats?.emoji[0]?.en).toContain('cat');
  expect(found('cat')).not.toContain('🏖️');
  expect(found('bow')).not.toContain('🌈');
});

it('The emoji table contains each emoji for which emojiWords.ts lists search words', () => {
  const known = new Set(Object.values(table).flatMap((group) => group.map(({ emoji }) => emoji)));
  expect(Object.keys(officeWords).filter((emoji) => !known.has(emoji))).toEqual([]);
});

it('[R2.23] The emoji picker has the custom emoji after the frequent ones, and finds them by a word of their name', () => {
  const own = ownEmoji([{ id: '1', name: 'thank_you', source_url: '/api/emoji/1', deactivated: false }]);
  expect(sectionsOf(table, ['👍'], '', own).map(({ category }) => category)).toEqual([
    'frequent',
    'own',
    'people',
    'nature',
    'objects',
    'places',
    'symbols',
  ]);
  const hits = sectionsOf(table, [], 'you', own).flatMap(({ emoji }) => emoji);
  expect(hits[0]).toMatchObject({ emoji: ':thank_you:', url: '/api/emoji/1' });
});

it('[R2.22.2] The emoji search filters within the categories and drops empty ones', () => {
  const sections = sectionsOf(table, ['👍', '🎉'], 'パーティー');
  expect(sections.map(({ category }) => category)).toContain('frequent');
  expect(sections.every(({ emoji }) => emoji.length > 0)).toBe(true);
  expect(sectionsOf(table, ['👍'], 'そんな絵文字はない')).toEqual([]);
});
