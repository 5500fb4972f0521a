import { expect, it } from 'vitest';
import { emojiTable } from '../../../build/emoji.ts';
import { sectionsOf } from './categories.ts';

const table = emojiTable();
const found = (query: string) => sectionsOf(table, [], query).flatMap(({ emoji }) => emoji.map((entry) => entry.emoji));

it('[R2.22.2] has the six categories in their order', () => {
  const sections = sectionsOf(table, ['👍'], '');
  expect(sections.map(({ category }) => category)).toEqual([
    'frequent',
    'people',
    'nature',
    'objects',
    'places',
    'symbols',
  ]);
  expect(sections.flatMap(({ emoji }) => emoji).length).toBeGreaterThan(1800);
});

it.each(['いいね', 'イイネ', 'ｲｲﾈ', 'thumbs up', 'THUMBS'])('[R2.23] finds 👍 by %s', (query) => {
  expect(found(query)).toContain('👍');
});

it('[R2.22.2] filters within the categories and drops the empty ones', () => {
  const sections = sectionsOf(table, ['👍', '🎉'], 'パーティー');
  expect(sections.map(({ category }) => category)).toContain('frequent');
  expect(sections.every(({ emoji }) => emoji.length > 0)).toBe(true);
  expect(sectionsOf(table, ['👍'], 'そんな絵文字はない')).toEqual([]);
});
