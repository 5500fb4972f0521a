import { createBot, getBots, getEvents, registerQueue } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { isOwnBot, ownerCall, withoutKeys } from './botKeys.ts';

const replyOf = (body: unknown) => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) });
const key = '6hc6MC9mpNFvoo0gSOWnZEq4aJEn8UNK';

it.each([
  ['register', registerQueue, { realm_bots: [{ user_id: 12, owner_id: 9, api_key: key }] }],
  ['an event', getEvents, { events: [{ id: 1, type: 'realm_bot', op: 'update', bot: { user_id: 12, api_key: key } }] }],
])('The browser of an administrator gets no key of a bot from %s of a Zulip', (_, endpoint, body) => {
  const text = Buffer.from(withoutKeys(endpoint, replyOf(body)).body).toString();
  expect(text).not.toContain(key);
  expect(JSON.parse(text)).toMatchObject(JSON.parse(JSON.stringify(body).replace(key, '')));
});

it('The text of a message that has the words of a key is unchanged', () => {
  const body = { messages: [{ content: `{"api_key": "${key}"}` }] };
  expect(withoutKeys(getEvents, replyOf(body))).toEqual(replyOf(body));
});

it.each([createBot, getBots])('$path answers the keys of the caller’s own bots', (endpoint) => {
  expect(withoutKeys(endpoint, replyOf({ api_key: key }))).toEqual(replyOf({ api_key: key }));
});

it('The owner of a bot is looked up by the id in the path', () => {
  expect(ownerCall('/api/v1/bots/12/api_key/regenerate')).toBe('/api/v1/users/12');
  expect(ownerCall('/api/v1/bots/12/api_key?x=/bots/13/')).toBe('/api/v1/users/12');
});

it.each([
  [9, true],
  [10, false],
])('A bot of member 9 belongs to member %i: %s', (memberId, isOwn) => {
  const user = {
    user_id: 12,
    email: 'keihou-bot@zulip.example',
    full_name: '警報',
    date_joined: '',
    role: 400,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: true,
    bot_owner_id: 9,
    timezone: '',
    avatar_version: 1,
  };
  expect(isOwnBot(replyOf({ user }), memberId)).toBe(isOwn);
  expect(isOwnBot({ ...replyOf({ user }), status: 400 }, memberId)).toBe(false);
});
