import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { streams } from '../conversations/streams.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';

const fetched = { fetch_event_types: ['default_streams'] };
const square = '広場';

async function setup() {
  const open = { ...eg.stream(square, ['tanaka']), invite_only: false };
  const server = await eg.server({ organisation: eg.organisation({ streams: [...eg.organisation().streams, open] }) });
  const tanaka = eg.signIn(server, 'tanaka');
  const join = async (name: string) => {
    const person = { email: eg.emailOf(name), full_name: `新人 ${name}`, password: 'himitsu-1' };
    const { user_id = 0 } = await tanaka.ok(api.createUser, person);
    return user_id;
  };
  const subscribers = async (stream: string) =>
    (await tanaka.ok(api.getSubscribers, { stream_id: server.stream(stream) })).subscribers;
  return { server, tanaka, join, subscribers, stream_id: server.stream(square) };
}

it('New members join the default streams, and nobody joins a stream that is no longer one', async () => {
  const { server, tanaka, join, subscribers, stream_id } = await setup();
  const before = await join('before');
  await tanaka.ok(api.addDefaultStream, { stream_id });
  const during = await join('during');
  expect(await subscribers(square)).toEqual([server.user('tanaka'), during]);
  await server.restart();
  expect((await tanaka.ok(api.registerQueue, fetched)).realm_default_streams).toEqual([stream_id]);
  expect((await eg.signIn(server, 'takahashi').ok(api.registerQueue, fetched)).realm_default_streams).toEqual([]);
  const listed = await tanaka.ok(api.getStreams, { include_default: true });
  expect(listed.streams.filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual([square]);
  await tanaka.ok(api.removeDefaultStream, { stream_id });
  const after = await join('after');
  expect(await subscribers(square)).not.toContain(after);
  expect(await subscribers(square)).not.toContain(before);
});

it('The active people of an import join a default stream with one event for all, and guests do not join', async () => {
  const { server, tanaka, subscribers, stream_id } = await setup();
  await tanaka.ok(api.addDefaultStream, { stream_id });
  const queue = await queueOf(tanaka, { event_types: ['subscription'] });
  const person = { role: api.roles.member, isActive: true, password: '' };
  const made = ['a', 'b', 'c', 'd'].map((name) => ({ ...person, email: `${name}@example.com`, fullName: `新人 ${name}` }));
  const { users } = await server.running().reorganise({
    id: '1',
    by: 'console',
    made: made.map((each, index) => ({
      ...each,
      role: index === 2 ? api.roles.guest : each.role,
      isActive: index !== 3,
    })),
    changed: [],
    streams: [],
  });
  const joined = users.slice(0, 2);
  expect(await queue.take()).toMatchObject([{ op: 'peer_add', stream_ids: [stream_id], user_ids: joined }]);
  expect(await subscribers(square)).toEqual([server.user('tanaka'), ...joined]);
});

it('A public stream can be created as a default stream, and an archived one is no longer joined', async () => {
  const { tanaka, join } = await setup();
  await tanaka.ok(api.subscribe, { subscriptions: [{ name: 'ようこそ' }], invite_only: false, is_default_stream: true });
  const { stream_id } = await tanaka.ok(api.getStreamId, { stream: 'ようこそ' });
  const newcomer = await join('shinjin');
  expect((await tanaka.ok(api.getSubscribers, { stream_id })).subscribers).toContain(newcomer);
  await tanaka.ok(api.deleteStream, { stream_id });
  expect((await tanaka.ok(api.registerQueue, fetched)).realm_default_streams).toEqual([]);
  await join('tsugi');
});

it('Archiving a default stream publishes the remaining default streams and clears its default flag', async () => {
  const { server, tanaka, stream_id } = await setup();
  await tanaka.ok(api.addDefaultStream, { stream_id });
  const queue = await queueOf(tanaka, { event_types: ['default_streams'] });
  await tanaka.ok(api.deleteStream, { stream_id });
  expect(await queue.take()).toMatchObject([{ type: 'default_streams', default_streams: [] }]);
  const { database } = fileOf(server);
  expect(streams.byId(database.reader, stream_id)).toMatchObject({ is_archived: 1, is_default: 0 });
});

it('Archiving a stream that is not a default stream publishes no event `default_streams`', async () => {
  const { tanaka, stream_id } = await setup();
  const queue = await queueOf(tanaka, { event_types: ['default_streams'] });
  await tanaka.ok(api.deleteStream, { stream_id });
  expect(await queue.take()).toEqual([]);
});

it('POST /default_streams refuses private streams, unknown ones, more than 20, and members who are not administrators', async () => {
  const { server, tanaka, stream_id } = await setup();
  const refusal = async (name: string, id: number) =>
    (await eg.signIn(server, name).refused(api.addDefaultStream, { stream_id: id })).msg;
  expect(await refusal('tanaka', server.stream(eg.general))).toBe('Private streams cannot be made default.');
  expect(await refusal('tanaka', 987_654)).toBe('Invalid stream ID');
  expect(await refusal('suzuki', stream_id)).toBe('Must be an organization administrator');
  for (let index = 0; index < api.maxDefaultStreams; index += 1) {
    await tanaka.ok(api.subscribe, { subscriptions: [{ name: `部屋 ${index}` }], invite_only: false, is_default_stream: true });
  }
  expect(await refusal('tanaka', stream_id)).toBe('Too many default streams (limit: 20).');
});
