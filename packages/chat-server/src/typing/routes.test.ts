import { addressDirect, getTopics, maxSubscribersForTyping, roles, setTypingStatus } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';

const withStreams = { client_capabilities: { stream_typing_notifications: true } };

/** tanaka types, and sato has a queue. */
async function setup(organisation = eg.organisation()) {
  const server = await eg.server({ organisation, signedIn: eg.organisation().users.map(({ email }) => email) });
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = await queueOf(eg.signIn(server, 'sato'), withStreams);
  const user = (name: string) => ({ user_id: server.user(name), email: eg.emailOf(name) });
  return { server, tanaka, sato, user, stream_id: server.stream(eg.general) };
}

/** A raw request, as any client may send it. */
const rawTyping = (form: Readonly<Record<string, string>>) => ({ method: 'POST', path: '/typing', form });

it('[R3.8] [R7.6] POST /typing sends a typing event to the members of a direct conversation, including the sender', async () => {
  const { server, tanaka, sato, user } = await setup();
  const own = await queueOf(tanaka, withStreams);
  const to = addressDirect([server.user('sato'), server.user('ito')]);
  expect(await tanaka.ok(setTypingStatus, { op: 'start', type: 'direct', to })).toEqual({});
  const { cursor } = sato;
  const events = {
    id: cursor,
    type: 'typing',
    op: 'start',
    message_type: 'direct',
    sender: user('tanaka'),
    recipients: [user('tanaka'), user('sato'), user('ito')],
  };
  expect(await sato.take()).toEqual([events]);
  expect(await own.take()).toEqual([events]);
  await tanaka.ok(setTypingStatus, { op: 'stop', to });
  expect(await sato.take()).toEqual([{ ...events, op: 'stop' }]);
});

it.each([
  ['a list of ids', (id: number) => `[${id}]`],
  ['an id alone', (id: number) => `${id}`],
  ['a list of emails', () => '["sato@example.com"]'],
  ['an email as a JSON string', () => '"sato@example.com"'],
  ['an email as it is', () => 'sato@example.com'],
])('POST /typing accepts %s as recipients of a direct message, whichever name its type has', async (_, written) => {
  const { server, tanaka, sato, user } = await setup();
  const to = written(server.user('sato'));
  for (const type of [{}, { type: 'direct' }, { type: 'private' }]) {
    expect(await tanaka.raw(rawTyping({ op: 'start', ...type, to }))).toMatchObject({ status: 200 });
    expect(await sato.take()).toMatchObject([{ recipients: [user('tanaka'), user('sato')] }]);
  }
});

it('When a member writes a note to themselves, POST /typing sends a typing event only to this member', async () => {
  const { server, tanaka, sato, user } = await setup();
  const own = await queueOf(tanaka);
  await tanaka.ok(setTypingStatus, { op: 'start', to: addressDirect([server.user('tanaka')]) });
  expect(await own.take()).toMatchObject([{ recipients: [user('tanaka')] }]);
  expect(await sato.take()).toEqual([]);
});

it.each(['stream', 'channel'])(
  'POST /typing with the type “%s” sends a typing event to the subscribers of the stream',
  async (type) => {
    const { tanaka, sato, user, stream_id } = await setup();
    await tanaka.ok(setTypingStatus, { op: 'start', type, stream_id, topic: ' 昼食 ' });
    expect(await sato.take()).toEqual([
      {
        id: sato.cursor,
        type: 'typing',
        op: 'start',
        message_type: 'stream',
        sender: user('tanaka'),
        stream_id,
        topic: '昼食',
      },
    ]);
  },
);

it('POST /typing accepts the stream id in "to", as before feature level 215', async () => {
  const { tanaka, sato, stream_id } = await setup();
  await tanaka.raw(rawTyping({ op: 'start', type: 'stream', to: `[${stream_id}]`, topic: '昼食' }));
  expect(await sato.take()).toMatchObject([{ stream_id, topic: '昼食' }]);
});

it.each<[string, Readonly<Record<string, string>>]>([
  ["Missing 'op' argument", { to: '[1]' }],
  ['Invalid op', { op: 'pause', to: '[1]' }],
  ['Invalid type', { op: 'start', type: 'huddle', to: '[1]' }],
  ["Missing 'to' argument", { op: 'start' }],
  ["Empty 'to' list", { op: 'start', to: '[]' }],
  ['Invalid user ID 987', { op: 'start', to: '[1,987]' }],
  ["Invalid email 'nobody@example.com'", { op: 'start', to: 'nobody@example.com' }],
  ['Invalid data type for recipients', { op: 'start', to: '{"id":1}' }],
  ['Missing stream_id', { op: 'start', type: 'stream', topic: 't' }],
  ['Missing stream_id', { op: 'start', type: 'stream', to: '[]', topic: 't' }],
  ['stream_id is not an integer', { op: 'start', type: 'stream', stream_id: '"1"', topic: 't' }],
  ['Missing topic', { op: 'start', type: 'stream', stream_id: '1' }],
  ['Topics are required in this organization', { op: 'start', type: 'stream', stream_id: '1', topic: ' ' }],
  ['Invalid stream ID', { op: 'start', type: 'stream', stream_id: '987', topic: 't' }],
])('POST /typing refuses a call with the error “%s”: %j', async (msg, form) => {
  const { tanaka, sato } = await setup();
  const refusal = eg.refusal(await tanaka.raw(rawTyping(form)));
  expect(refusal).toMatchObject({ status: 400, msg });
  expect(refusal.code).toBe(msg === "Missing 'op' argument" ? 'REQUEST_VARIABLE_MISSING' : 'BAD_REQUEST');
  expect(await sato.take()).toEqual([]);
});

it('[R6.1] POST /typing has the same error for a stream that does not exist and one to which the member may not send', async () => {
  const { server, tanaka, sato, stream_id } = await setup();
  const events = await queueOf(tanaka, { ...withStreams, event_types: ['typing'] });
  const request = { op: 'start', type: 'stream', stream_id, topic: 't' };
  const missing = await eg.signIn(server, 'ito').refused(setTypingStatus, { ...request, stream_id: 987 });
  expect(await eg.signIn(server, 'ito').refused(setTypingStatus, request)).toEqual(missing);
  await leaves(server, 'suzuki', eg.general);
  expect(await eg.signIn(server, 'suzuki').refused(setTypingStatus, request)).toEqual(missing);
  expect(await events.take()).toEqual([]);
  expect((await sato.take()).map(({ type }) => type)).toEqual(['subscription']);
});

it('POST /typing sends no typing event in a stream of more than a hundred members', async () => {
  const { server, tanaka, sato, stream_id } = await setup(organisationOf(maxSubscribersForTyping + 1));
  const events = () => sato.take().then((events) => events.filter(({ type }) => type === 'typing'));
  await tanaka.ok(setTypingStatus, { op: 'start', type: 'stream', stream_id, topic: 't' });
  expect(await events()).toEqual([]);
  await leaves(server, 'm0', eg.general);
  await tanaka.ok(setTypingStatus, { op: 'start', type: 'stream', stream_id, topic: 't' });
  expect(await events()).toHaveLength(1);
});

it('POST /typing creates no conversation and no topic', async () => {
  const { server, tanaka, stream_id } = await setup();
  await tanaka.ok(setTypingStatus, { op: 'start', type: 'stream', stream_id, topic: '新しい' });
  await tanaka.ok(setTypingStatus, { op: 'start', to: addressDirect([server.user('ito')]) });
  expect(await tanaka.ok(getTopics, { stream_id })).toEqual({ topics: [] });
});

/** 総務部 with the given number of subscribers. */
function organisationOf(size: number) {
  const usual = eg.organisation();
  const [tanaka, sato] = usual.users;
  const others = Array.from({ length: size - 2 }, (_, index) => eg.person(`m${index}`, `社員 ${index}`, roles.member));
  const users = [tanaka, sato, ...others].filter((each) => each !== undefined);
  const subscribers = users.map(({ email }) => email);
  const streams = usual.streams.filter(({ name }) => name === eg.general).map((stream) => ({ ...stream, subscribers }));
  return { ...usual, users, streams };
}
