import { expect, it } from 'vitest';
import { begin } from '../../../test/exampleState.ts';
import { peopleAfter } from './changes.ts';
import { selectCustomEmoji, selectPictureOfEmoji, selectPictureOfReaction } from './customEmoji.ts';
import { selectCustomReaction } from './customReaction.ts';

const emoji = (id: string, name: string, deactivated: boolean) => ({ id, name, source_url: `/api/emoji/${id}`, deactivated });
const all = { 1: emoji('1', 'niwa', false), 2: emoji('2', 'old', true) };

it('[R2.23] Custom emoji follow their event; a deactivated one stays in reactions only', () => {
  const state = peopleAfter(begin(), { id: 9, type: 'realm_emoji', op: 'update', realm_emoji: all });
  expect([...selectCustomEmoji(state).keys()]).toEqual(['niwa']);
  expect(selectPictureOfEmoji(state, 'niwa')).toBe('/api/emoji/1');
  expect(selectPictureOfEmoji(state, 'old')).toBeUndefined();
  expect(selectPictureOfReaction(state, 'realm_emoji', '2')).toBe('/api/emoji/2');
  expect(selectPictureOfReaction(state, 'unicode_emoji', '2')).toBeUndefined();
  expect(selectCustomReaction(state, ':niwa:')).toEqual({ name: 'niwa', code: '1', type: 'realm_emoji' });
  expect(selectCustomReaction(state, ':old:')).toBeUndefined();
  expect(selectCustomReaction(state, '🍵')).toBeUndefined();
});
