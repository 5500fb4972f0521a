import { topicKey } from '@engawa/protocol';
import * as api from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { messages } from '../messages/store.ts';
import type { Columns } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';
import { audit, company, inside, leaver, outside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';

async function asks(name: string, request: api.ParametersIn<typeof api.getStreams>): Promise<string[]> {
  const { streams } = await eg.signIn(await company(), name).ok(api.getStreams, request);
  return streams.map((stream) => stream.name);
}

it('[R7.6] GET /streams lists the streams that the caller can see, ordered by name', async () => {
  expect(await asks('ito', {})).toEqual([sales, square, audit].toSorted());
  expect(await asks('suzuki', {})).toEqual([square]);
  expect(await asks(outside.guest, {})).toEqual([]);
});

it.each<[api.ParametersIn<typeof api.getStreams>, readonly string[]]>([
  [{ include_public: false }, [sales, square, audit]],
  [{ include_subscribed: false }, [square]],
  [{ include_public: false, include_subscribed: false }, []],
  [{ include_web_public: true, include_owner_subscribed: true, exclude_archived: false }, [sales, square, audit]],
])('GET /streams lists only the streams that the parameters include: %j', async (request, names) => {
  expect(await asks('ito', request)).toEqual(names.toSorted());
});

it('[R6.3] GET /streams with include_all_active lists every stream for administrators and refuses other members', async () => {
  const server = await company();
  for (const who of [outside.owner, outside.administrator]) {
    expect(await asks(who, { include_all_active: true })).toEqual([sales, square, audit].toSorted());
    const { text } = await eg.signIn(server, who).raw({ path: '/streams', query: { include_all: 'true' } });
    expect(text).toContain(sales);
  }
  for (const who of [outside.moderator, outside.member, inside.guest]) {
    const refusal = await eg.signIn(server, who).refused(api.getStreams, { include_all_active: true });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'User not authorized for this query' });
  }
});

it('GET /streams returns is_default only with include_default', async () => {
  const suzuki = eg.signIn(await company(), 'suzuki');
  expect((await suzuki.ok(api.getStreams, { include_default: true })).streams[0]).toMatchObject({ is_default: false });
  expect((await suzuki.ok(api.getStreams, {})).streams[0]).not.toHaveProperty('is_default');
});

it('[R7.6] GET /streams/{stream_id} returns a stream that the caller can see', async () => {
  const server = await company();
  const ito = eg.signIn(server, 'ito');
  const { stream } = await ito.ok(api.getStream, { stream_id: server.stream(sales) });
  expect(stream).toMatchObject({ name: sales, first_message_id: server.messages[1] });
  const { streams } = await ito.ok(api.getStreams, {});
  expect(streams).toContainEqual(stream);
});

it('[R6.1] GET /streams/{stream_id} answers "Invalid stream ID" for a stream that the member cannot see', async () => {
  const server = await company();
  const refusal = await eg.signIn(server, 'suzuki').refused(api.getStream, { stream_id: server.stream(sales) });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid stream ID' });
});

it('[R7.6] GET /get_stream_id finds a stream by its name', async () => {
  const server = await company();
  const ito = eg.signIn(server, 'ito');
  expect(await ito.ok(api.getStreamId, { stream: ` ${sales} ` })).toEqual({ stream_id: server.stream(sales) });
});

it('[R6.1] GET /get_stream_id does not find a stream that the caller cannot see', async () => {
  const refusal = await eg.signIn(await company(), 'suzuki').refused(api.getStreamId, { stream: sales });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: `Invalid stream name '${sales}'` });
});

it('GET /get_stream_id shortens a very long stream name in its error message', async () => {
  const suzuki = eg.signIn(await company(), 'suzuki');
  const { msg } = await suzuki.refused(api.getStreamId, { stream: '縁'.repeat(10_000) });
  expect(msg).toMatch(/^Invalid stream name '縁+$/);
  expect(msg).toHaveLength(1000);
});

/** ito and suzuki, and a stream in which ito sends messages. */
async function setup(stream: string) {
  const server = await company();
  const [ito, suzuki] = [eg.signIn(server, 'ito'), eg.signIn(server, 'suzuki')];
  return {
    server,
    send: async (topic: string) => (await ito.ok(api.sendMessage, { type: 'stream', to: stream, topic, content: 'c' })).id,
    suzukiJoins: () => ito.ok(api.subscribe, { subscriptions: [{ name: stream }], principals: [server.user('suzuki')] }),
    suzukiLeaves: () => suzuki.ok(api.unsubscribe, { subscriptions: [stream] }),
    topicsOf: async (client: eg.Client) => (await client.ok(api.getTopics, { stream_id: server.stream(stream) })).topics,
    ito,
    suzuki,
  };
}

it('[R7.6] Topics are listed by their newest message, newest first, each in its latest spelling', async () => {
  const { server, send, topicsOf, ito } = await setup(sales);
  await send('Lunch');
  const lunch = await send('LUNCH');
  const supper = await send('夕食');
  expect(await topicsOf(ito)).toEqual([
    { name: '夕食', max_id: supper },
    { name: 'LUNCH', max_id: lunch },
    { name: 'stream events', max_id: server.messages[1] },
  ]);
});

it('[R6.1] In a stream without shared history, a member sees only the topics of messages from while they were subscribed', async () => {
  const { send, suzukiJoins, suzukiLeaves, topicsOf, ito, suzuki } = await setup(audit);
  await send('前');
  const both = await send('通し');
  await suzukiJoins();
  const first = await send('初め');
  await suzukiLeaves();
  await send('留守');
  await send('通し');
  await suzukiJoins();
  const again = await send('初め');
  const second = await send('再び');
  expect(await topicsOf(suzuki)).toEqual([
    { name: '再び', max_id: second },
    { name: '初め', max_id: again },
    { name: api.defaultTopic, max_id: again - 1 },
  ]);
  expect(first).toBeLessThan(again);
  expect((await topicsOf(ito)).map(({ name }) => name)).toEqual(['再び', '初め', 'stream events', '通し', '留守', '前']);
  expect(both).toBeLessThan(first);
});

it('[R4.9] A deleted message does not count for the list of topics of a stream', async () => {
  const { server, send, topicsOf, ito } = await setup(sales);
  const [kept, deleted, alone] = [await send('残る'), await send('残る'), await send('消える')];
  await fileOf(server).database.write((tx) => {
    messages.blank(tx, deleted, 1);
    messages.blank(tx, alone, 1);
  });
  expect(await topicsOf(ito)).toEqual([
    { name: '残る', max_id: kept },
    { name: 'stream events', max_id: server.messages[1] },
  ]);
});

it('The list of topics is empty for a stream without messages', async () => {
  const server = await company();
  const sato = eg.signIn(server, 'sato');
  await sato.ok(api.subscribe, { subscriptions: [{ name: '企画' }] });
  const { stream_id } = await sato.ok(api.getStreamId, { stream: '企画' });
  const { messages: written } = await sato.ok(api.getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
  await sato.ok(api.deleteMessage, { message_id: written[0]?.id ?? 0 });
  expect(await sato.ok(api.getTopics, { stream_id })).toEqual({ topics: [] });
});

it('[R6.1] GET /users/me/{stream_id}/topics refuses a stream that the caller cannot see, even to administrators', async () => {
  const { server } = await setup(sales);
  for (const who of [outside.owner, outside.member, leaver]) {
    const refusal = await eg.signIn(server, who).refused(api.getTopics, { stream_id: server.stream(sales) });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid stream ID' });
  }
});

it(`GET /users/me/{stream_id}/topics lists at most ${api.maxTopicsListed} topics`, async () => {
  const { server, topicsOf, ito } = await setup(sales);
  await fileOf(server).database.write((tx) => {
    for (let index = 0; index < api.maxTopicsListed; index += 1) {
      const topic = `t${index}`;
      insertMessage(tx, {
        conversation_id: server.stream(sales),
        sender_id: server.user('ito'),
        topic,
        topic_key: topicKey(topic),
      });
    }
  });
  expect(await topicsOf(ito)).toHaveLength(api.maxTopicsListed);
});

const insertMessage = queries.run(
  (query, value: Columns<Pick<Row<'message'>, 'conversation_id' | 'sender_id' | 'topic' | 'topic_key'>>) =>
    query.insertInto('message').values({
      conversation_id: value.conversation_id,
      sender_id: value.sender_id,
      topic: value.topic,
      topic_key: value.topic_key,
      content: 'c',
      client: 'website',
      timestamp: 1,
      last_edit_timestamp: null,
      last_moved_timestamp: null,
      features: 0,
      deleted: null,
    }),
);

it('[R7.6] [R2.11.4] DELETE /streams/{stream_id} closes a stream for everyone, and a new stream can have its name', async () => {
  const server = await company();
  const stream_id = server.stream(sales);
  expect(await eg.signIn(server, 'sato').ok(api.deleteStream, { stream_id })).toEqual({});
  const ito = eg.signIn(server, 'ito');
  const { subscriptions } = await ito.ok(api.getSubscriptions, {});
  expect(subscriptions.map(({ name }) => name)).toEqual([square, audit]);
  expect(await ito.refused(api.getStream, { stream_id })).toMatchObject({ msg: 'Invalid stream ID' });
  const sending = { type: 'stream', to: sales, topic: 't', content: 'c' };
  expect(await ito.refused(api.sendMessage, sending)).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  const read = await ito.ok(api.getMessages, { anchor: 'oldest', num_before: 0, num_after: 9 });
  expect(read.messages.map((message) => message.stream_id)).toEqual([square, audit].map(server.stream));
  const starring = { messages: server.messages.slice(1, 2), op: 'add', flag: 'starred' };
  expect(await ito.refused(api.updateMessageFlags, starring)).toMatchObject({ msg: 'Invalid message(s)' });
  await ito.ok(api.subscribe, { subscriptions: [{ name: sales }] });
  expect((await ito.ok(api.getStreamId, { stream: sales })).stream_id).not.toBe(stream_id);
});

it('[R6.3] DELETE /streams/{stream_id} by others than administrators and the creator has one error, whether or not the stream exists', async () => {
  const server = await company();
  for (const who of [outside.moderator, outside.member, inside.guest]) {
    for (const stream_id of [server.stream(sales), 987]) {
      const refusal = await eg.signIn(server, who).refused(api.deleteStream, { stream_id });
      expect(refusal).toMatchObject({
        status: 400,
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      });
    }
  }
});

it('[R6.3] DELETE /streams/{stream_id} is refused to an administrator whose demotion arrived just before the call', async () => {
  const server = await company();
  const [, refusal] = await Promise.all([
    eg.signIn(server, 'tanaka').ok(api.updateUser, { user_id: server.user('sato'), role: api.roles.member }),
    eg.signIn(server, 'sato').refused(api.deleteStream, { stream_id: server.stream(sales) }),
  ]);
  expect(refusal).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
});

it('DELETE /streams/{stream_id} has different errors for a stream that is already closed and an unknown id', async () => {
  const server = await company();
  const sato = eg.signIn(server, 'sato');
  await sato.ok(api.deleteStream, { stream_id: server.stream(sales) });
  const again = await sato.refused(api.deleteStream, { stream_id: server.stream(sales) });
  expect(again).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Stream is already deactivated' });
  expect(await sato.refused(api.deleteStream, { stream_id: 987 })).toMatchObject({ msg: 'Invalid stream ID' });
});

const names = (streams: readonly { readonly name: string }[] | undefined) => streams?.map((stream) => stream.name);

async function listsOf(server: eg.Server, name: string) {
  const state = await eg.signIn(server, name).ok(api.registerQueue, { fetch_event_types: ['subscription', 'stream'] });
  return {
    subscriptions: names(state.subscriptions),
    unsubscribed: names(state.unsubscribed),
    never_subscribed: names(state.never_subscribed),
    streams: names(state.streams),
  };
}

describe('POST /register', () => {
  const nothing = { subscriptions: [], unsubscribed: [], never_subscribed: [], streams: [] };

  it('[R6.1] POST /register lists public streams that a member left or never joined, but no such private streams', async () => {
    const server = await company();
    expect(await listsOf(server, leaver)).toEqual({ ...nothing, unsubscribed: [square], streams: [square] });
    for (const who of [outside.owner, outside.administrator, outside.moderator, outside.member]) {
      expect(await listsOf(server, who)).toEqual({ ...nothing, never_subscribed: [square], streams: [square] });
    }
    expect(await listsOf(server, outside.guest)).toEqual(nothing);
    const all = [square, sales, audit];
    for (const who of Object.values(inside)) {
      expect(await listsOf(server, who)).toEqual({ ...nothing, subscriptions: all, streams: all });
    }
  });

  it('[R6.1] POST /register lists no streams to a guest who left all of theirs', async () => {
    const server = await company();
    await eg.signIn(server, inside.guest).ok(api.unsubscribe, { subscriptions: [square, sales, audit] });
    expect(await listsOf(server, inside.guest)).toEqual(nothing);
  });

  it('POST /register lists the subscribers of streams only with include_subscribers', async () => {
    const server = await company();
    const subscribers = Object.values(inside).map(server.user);
    const [suzuki, request] = [eg.signIn(server, 'suzuki'), { include_subscribers: true }];
    expect((await suzuki.ok(api.registerQueue, request)).never_subscribed).toMatchObject([{ subscribers }]);
    expect((await eg.signIn(server, leaver).ok(api.registerQueue, request)).unsubscribed).toMatchObject([{ subscribers }]);
    expect((await suzuki.ok(api.registerQueue, {})).never_subscribed?.[0]).not.toHaveProperty('subscribers');
  });
});

it('GET /streams/{id}/members and GET /users/{id}/subscriptions/{id} answer who is subscribed now', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const stream_id = server.stream(eg.general);
  const ids = (names: readonly string[]) => names.map((name) => server.user(name)).toSorted((one, other) => one - other);
  const isSubscribed = async (name: string) =>
    (await tanaka.ok(api.getSubscriptionStatus, { user_id: server.user(name), stream_id })).is_subscribed;
  const { subscribers } = await tanaka.ok(api.getSubscribers, { stream_id });
  expect(subscribers).toEqual(ids(['tanaka', 'sato', 'suzuki', 'takahashi']));
  expect([await isSubscribed('suzuki'), await isSubscribed('ito')]).toEqual([true, false]);
  await eg.signIn(server, 'suzuki').ok(api.unsubscribe, { subscriptions: [eg.general] });
  expect((await tanaka.ok(api.getSubscribers, { stream_id })).subscribers).toEqual(ids(['tanaka', 'sato', 'takahashi']));
  expect(await isSubscribed('suzuki')).toBe(false);
  expect(await tanaka.refused(api.getSubscriptionStatus, { user_id: 987, stream_id })).toMatchObject({ msg: 'No such user' });
});

it('GET /streams/{id}/email_address says that streams have no address', async () => {
  const server = await eg.server();
  const stream_id = server.stream(eg.general);
  const refusal = await eg.signIn(server, 'tanaka').refused(api.getStreamEmailAddress, { stream_id });
  expect(refusal).toMatchObject({ status: 400, msg: 'Posting to streams by email is disabled in this organization.' });
});
