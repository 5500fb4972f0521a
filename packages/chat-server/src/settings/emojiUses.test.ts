import { countEmojiUse, emojiUsesUntilHalved, maxFrequentEmoji, registerQueue } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';
import { used } from './emojiUses.ts';

it('[R2.23] POST /users/me/emoji_uses counts emoji per member and sends the counts to all their devices', async () => {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  const own = await queueOf(suzuki);
  const others = await queueOf(eg.signIn(server, 'sato'));
  for (const emoji of ['👍', '🍵', '🍵']) await suzuki.ok(countEmojiUse, { emoji });
  const counted = { '🍵': 2, '👍': 1 };
  expect((await own.take()).at(-1)).toMatchObject({ type: 'user_settings', property: 'frequent_emoji', value: counted });
  expect(await others.take()).toEqual([]);
  await server.restart();
  const request = { fetch_event_types: ['user_settings'] };
  const { user_settings } = await suzuki.ok(registerQueue, request);
  expect(Object.entries(user_settings?.frequent_emoji ?? {})).toEqual(Object.entries(counted));
  expect((await eg.signIn(server, 'sato').ok(registerQueue, request)).user_settings?.frequent_emoji).toEqual({});
});

it('POST /users/me/emoji_uses counts both of two simultaneous calls for the same emoji', async () => {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  await Promise.all([1, 2].map(() => suzuki.ok(countEmojiUse, { emoji: '🍵' })));
  const { user_settings } = await suzuki.ok(registerQueue, {});
  expect(user_settings?.frequent_emoji).toEqual({ '🍵': 2 });
});

it.each(['', ' ', '🍵'.repeat(101)])('POST /users/me/emoji_uses refuses “%s”, which is not an emoji', async (emoji) => {
  const suzuki = eg.signIn(await eg.server(), 'suzuki');
  expect(await suzuki.refused(countEmojiUse, { emoji })).toMatchObject({ status: 400 });
});

it('When the list of a member’s frequent emoji is full, a new emoji replaces the least used one', () => {
  const full = Object.fromEntries(
    Array.from({ length: maxFrequentEmoji }, (_, index) => [`e${index}`, index < 9 ? 9 - index : 1]),
  );
  const after = used(full, 'new');
  expect(Object.keys(after)).toHaveLength(maxFrequentEmoji);
  expect(after).not.toHaveProperty(`e${maxFrequentEmoji - 1}`);
  expect(after).toMatchObject({ new: 1, e0: 9 });
});

it('The frequent emoji of a member are ordered by number of uses, and equal numbers by the latest use', () => {
  expect(Object.keys(used({ a: 3, b: 2, c: 1 }, 'c'))).toEqual(['a', 'c', 'b']);
});

it('After many emoji uses the server halves all counts of a member, so that new emoji can pass old ones', () => {
  const before = { old: emojiUsesUntilHalved - 4, rare: 3 };
  expect(used(before, 'new')).toEqual({ old: (emojiUsesUntilHalved - 4) / 2, rare: 2, new: 1 });
});
