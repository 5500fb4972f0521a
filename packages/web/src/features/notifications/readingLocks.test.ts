import { expect, it } from 'vitest';
import { lockReading, lockedConversations } from './readingLocks.ts';

it('[R2.25.4] A conversation counts as visible while any tab of the browser shows it', async () => {
  const { locks } = navigator;
  const first = lockReading(locks, 1, 7);
  const second = lockReading(locks, 1, 7);
  lockReading(locks, 1, 'direct:1,2');
  await expect.poll(async () => (await lockedConversations(locks, 1))('direct:1,2')).toBe(true);
  const read = await lockedConversations(locks, 1);
  expect([read(7), read(8), read('direct:1,3')]).toEqual([true, false, false]);
  expect((await lockedConversations(locks, 2))(7)).toBe(false);
  first();
  await expect.poll(async () => (await lockedConversations(locks, 1))(7)).toBe(true);
  second();
  await expect.poll(async () => (await lockedConversations(locks, 1))(7)).toBe(false);
});
