import { fetchApiKey, roles } from '@engawa/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

async function setup() {
  const chat = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock(), rateLimits: 'none' });
  onTestFinished(() => chat.close());
  const people = [eg.person('tanaka', '田中 太郎', roles.owner)];
  const { users } = await chat.import(eg.organisation({ users: people, streams: [], emoji: [] }));
  const userId = users.get(eg.emailOf('tanaka')) ?? 0;
  return { chat, userId };
}

async function tanakaAt(chat: Parameters<typeof eg.visitor>[0]) {
  const username = eg.emailOf('tanaka');
  const { api_key } = await eg.visitor(chat).ok(fetchApiKey, { username, password: eg.password });
  return eg.withKey(chat, username, api_key);
}

it('setAvatar stores the picture URL of a user and publishes it to everyone', async () => {
  const { chat, userId } = await setup();
  const queue = await queueOf(await tanakaAt(chat));
  await chat.setAvatar(userId, '/pictures/1');
  const url = '/pictures/1';
  const picture = { avatar_url: url, avatar_url_medium: url, avatar_source: 'U', avatar_version: 2 };
  expect(await queue.take()).toMatchObject([{ type: 'realm_user', op: 'update', person: { user_id: userId, ...picture } }]);
  expect(chat.user(userId)).toMatchObject({ avatar_url: '/pictures/1', avatar_version: 2 });
});

it('setAvatar removes a picture, and publishes nothing if there was none', async () => {
  const { chat, userId } = await setup();
  const queue = await queueOf(await tanakaAt(chat));
  await chat.setAvatar(userId, null);
  await chat.setAvatar(userId, null);
  expect(await queue.take()).toMatchObject([{ person: { user_id: userId, avatar_url: null, avatar_source: 'G' } }]);
  expect(chat.user(userId)).toMatchObject({ avatar_url: null, avatar_version: 2 });
});

it('setAvatar rejects an unknown user', async () => {
  const { chat } = await setup();
  await expect(chat.setAvatar(987_654, '/pictures/1')).rejects.toThrow(TypeError);
  expect(chat.user(987_654)).toBeUndefined();
});
