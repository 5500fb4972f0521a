import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

it('[R7.6] A bot stores texts that only its own key reads, changes and deletes', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const { api_key, user_id } = await tanaka.ok(api.createBot, { full_name: '集計 係', short_name: 'shuukei' });
  const { email } = (await tanaka.ok(api.getUser, { user_id })).user;
  const bot = eg.withKey(server, email, api_key);
  await bot.ok(api.updateBotStorage, { storage: { count: '1', name: '左' } });
  await bot.ok(api.updateBotStorage, { storage: { count: '2' } });
  expect((await bot.ok(api.getBotStorage, {})).storage).toEqual({ count: '2', name: '左' });
  expect((await bot.ok(api.getBotStorage, { keys: ['count'] })).storage).toEqual({ count: '2' });
  expect((await tanaka.ok(api.getBotStorage, {})).storage).toEqual({});
  const missing = { code: 'BAD_REQUEST', msg: 'Key does not exist.' };
  expect(await tanaka.refused(api.getBotStorage, { keys: ['count'] })).toMatchObject(missing);
  expect(await bot.refused(api.deleteBotStorage, { keys: ['count', 'nothing'] })).toMatchObject(missing);
  await bot.ok(api.deleteBotStorage, { keys: ['count'] });
  expect((await bot.ok(api.getBotStorage, {})).storage).toEqual({ name: '左' });
  await bot.ok(api.deleteBotStorage, {});
  expect((await bot.ok(api.getBotStorage, {})).storage).toEqual({});
});

it('A bot’s storage has limits for keys and bytes, and a refused change stores nothing', async () => {
  const suzuki = eg.signIn(await eg.server(), 'suzuki');
  const half = 'x'.repeat(400_000);
  await suzuki.ok(api.updateBotStorage, { storage: { a: half } });
  await suzuki.ok(api.updateBotStorage, { storage: { b: half } });
  const refusal = await suzuki.refused(api.updateBotStorage, { storage: { c: half } });
  expect(refusal.msg).toBe('The storage would exceed 1000 keys or 1048576 bytes.');
  expect(Object.keys((await suzuki.ok(api.getBotStorage, {})).storage)).toEqual(['a', 'b']);
  const many = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`k${index}`, '']));
  expect((await suzuki.refused(api.updateBotStorage, { storage: many })).msg).toBe(refusal.msg);
});
