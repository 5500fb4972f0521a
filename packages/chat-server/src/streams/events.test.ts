import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import {
  company,
  everyone,
  inside,
  leaver,
  newStreamView,
  outside,
  sales,
  square,
  streamView,
  subscriptionView,
} from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { inShort, queueOf } from '../testing/queue.ts';

/** An event without its id. */
type TestEvent = object;
type Received = Readonly<Record<string, readonly TestEvent[]>>;

/**
 * The events about streams that each member receives because of the change. Members without events are left out. Expects that
 * guests get no creators, and returns their events with the creators.
 */
async function eventsOf(server: eg.Server, change: () => Promise<unknown>): Promise<Received> {
  const queues = await Promise.all(
    everyone.map(
      async (name) => [name, await queueOf(eg.signIn(server, name), { event_types: ['stream', 'subscription'] })] as const,
    ),
  );
  await change();
  const received: Record<string, TestEvent[]> = {};
  for (const [name, queue] of queues) {
    const events = await queue.take();
    const isGuest = name === inside.guest || name === outside.guest;
    if (events.length > 0) {
      received[name] = events.map((event) => ({ ...(isGuest ? withCreators(server, event) : event), id: undefined }));
    }
  }
  return received;
}

function withCreators(server: eg.Server, event: api.ServerEvent): TestEvent {
  const creators = new Map(
    server
      .running()
      .allStreams()
      .map(({ streamId, creatorId }) => [streamId, creatorId]),
  );
  const withCreator = <Stream extends Pick<api.Stream, 'stream_id' | 'creator_id'>>(stream: Stream) => {
    expect(stream.creator_id).toBe(null);
    return { ...stream, creator_id: creators.get(stream.stream_id) };
  };
  if (event.type === 'stream' && event.op !== 'update') return { ...event, streams: event.streams.map(withCreator) };
  if (event.type !== 'subscription' || event.op !== 'add') return event;
  return { ...event, subscriptions: event.subscriptions.map(withCreator) };
}

const each = (names: readonly string[], ...events: TestEvent[]): Received =>
  Object.fromEntries(names.map((name) => [name, events]));

const members = [outside.owner, outside.administrator, outside.moderator, outside.member, leaver];

const created = (stream: api.Stream) => ({ type: 'stream', op: 'create', streams: [stream] }) as const;
const gone = (stream: api.Stream) => ({ type: 'stream', op: 'delete', streams: [stream], stream_ids: [stream.stream_id] });
const added = (stream: api.Stream, subscribers: readonly number[]) => ({
  type: 'subscription',
  op: 'add',
  subscriptions: [subscriptionView(stream, expect.stringMatching(/^#[\da-f]{6}$/), subscribers)],
});
const removed = ({ stream_id, name }: api.Stream) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: [{ name, stream_id }],
});
const peers = (op: 'peer_add' | 'peer_remove', { stream_id }: api.Stream, user_ids: readonly number[]) => ({
  type: 'subscription',
  op,
  stream_ids: [stream_id],
  user_ids,
});

async function justCreated(server: eg.Server, by: string, name: string, isPrivate = false): Promise<api.Stream> {
  const { stream_id } = await eg.signIn(server, by).ok(api.getStreamId, { stream: name });
  return newStreamView(server, stream_id, by, name, isPrivate);
}

it('[R6.1] [R2.7.2] Only the first subscribers of a new private stream get events about it', async () => {
  const server = await company();
  const suzuki = eg.signIn(server, 'suzuki');
  const people = ['suzuki', leaver, outside.guest];
  const received = await eventsOf(server, () =>
    suzuki.ok(api.subscribe, { subscriptions: [{ name: '企画' }], principals: people.map(server.user) }),
  );
  const stream = await justCreated(server, 'suzuki', '企画', true);
  const subscribers = people.map(server.user).toSorted((one, other) => one - other);
  expect(received).toEqual(each(people, created(stream), added(stream, subscribers)));
});

it('[R6.1] Everyone gets an event about a new public stream, except guests who are not subscribed', async () => {
  const server = await company();
  const sato = eg.signIn(server, 'sato');
  const people = ['sato', outside.guest].map(server.user);
  const received = await eventsOf(server, () =>
    sato.ok(api.subscribe, { subscriptions: [{ name: '掲示板' }], principals: people, invite_only: false }),
  );
  const stream = await justCreated(server, 'sato', '掲示板');
  expect(received).toEqual({
    ...each([...members, inside.member], created(stream), peers('peer_add', stream, people)),
    sato: [created(stream), added(stream, people), peers('peer_add', stream, [server.user(outside.guest)])],
    ...each([outside.guest], created(stream), added(stream, people)),
  });
});

it('[R6.1] When a member joins a private stream, its subscribers get an event, and the member gets the stream before the subscription', async () => {
  const server = await company();
  const stream = streamView(server, sales);
  const people = ['mori', 'sato'].map(server.user);
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'ito').ok(api.subscribe, { subscriptions: [{ name: sales }], principals: people }),
  );
  expect(received).toEqual({
    ...each(['sato'], created(stream), added(stream, ['sato', 'ito', 'mori'].map(server.user))),
    ...each(['ito', 'mori'], peers('peer_add', stream, [server.user('sato')])),
  });
});

it('[R6.1] When a member joins a public stream, everyone who can see the stream gets an event', async () => {
  const server = await company();
  const stream = streamView(server, square);
  const people = ['suzuki', outside.guest].map(server.user);
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'suzuki').ok(api.subscribe, { subscriptions: [{ name: square }], principals: people }),
  );
  const subscribers = ['suzuki', 'takahashi', 'ito', 'mori'].map(server.user);
  expect(received).toEqual({
    ...each([...members, 'ito', 'mori'], peers('peer_add', stream, people)),
    suzuki: [added(stream, subscribers), peers('peer_add', stream, [server.user(outside.guest)])],
    ...each([outside.guest], created(stream), added(stream, subscribers)),
  });
});

it('A member who joins a public stream together with another gets peer_add for the other, even if they leave before polling', async () => {
  const server = await company();
  const suzuki = eg.signIn(server, 'suzuki');
  const queue = await queueOf(suzuki);
  const principals = ['suzuki', 'sato'].map(server.user);
  await suzuki.ok(api.subscribe, { subscriptions: [{ name: square }], principals });
  await suzuki.ok(api.unsubscribe, { subscriptions: [square] });
  const stream = streamView(server, square);
  const events = (await queue.take()).filter(({ type }) => type === 'subscription');
  expect(events).toMatchObject([peers('peer_add', stream, [server.user('sato')]), removed(stream)]);
});

it('POST /users/me/subscriptions publishes no event if everyone named was already subscribed', async () => {
  const server = await company();
  const ito = eg.signIn(server, 'ito');
  expect(await eventsOf(server, () => ito.ok(api.subscribe, { subscriptions: [{ name: sales }] }))).toEqual({});
});

it('A member’s waiting poll gets the events of their joining at once, before later messages of the stream', async () => {
  const server = await company();
  const suzuki = await queueOf(eg.signIn(server, 'suzuki'));
  const waiting = suzuki.wait();
  await settled();
  const ito = eg.signIn(server, 'ito');
  await ito.ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [eg.emailOf('suzuki')] });
  const added = `message @_**鈴木 一郎|${server.user('suzuki')}**さんを追加しました。`;
  expect((await waiting).map(inShort)).toEqual(['stream create', 'subscription add', added]);
  await ito.ok(api.sendMessage, { type: 'stream', to: sales, topic: 't', content: 'ようこそ' });
  expect((await suzuki.take()).map(inShort)).toEqual(['message ようこそ']);
});

it('[R6.1] When a member leaves a private stream, the other subscribers get an event, and the member’s client removes the stream', async () => {
  const server = await company();
  const stream = streamView(server, sales);
  const received = await eventsOf(server, () => eg.signIn(server, 'ito').ok(api.unsubscribe, { subscriptions: [sales] }));
  expect(received).toEqual({
    ito: [removed(stream), gone(stream)],
    mori: [peers('peer_remove', stream, [server.user('ito')])],
  });
});

it('[R6.1] When a member leaves a public stream, everyone who can see it gets an event, and a guest’s client removes the stream', async () => {
  const server = await company();
  const stream = streamView(server, square);
  const people = ['ito', 'mori'].map(server.user);
  const principals = [...people, server.user('suzuki')];
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'sato').ok(api.unsubscribe, { subscriptions: [square], principals }),
  );
  expect(received).toEqual({
    ...each(members, peers('peer_remove', stream, people)),
    ito: [removed(stream), peers('peer_remove', stream, [server.user('mori')])],
    mori: [removed(stream), gone(stream)],
  });
});

it('[R6.1] An administrator who removes a subscriber from a private stream without being in it gets no event about it', async () => {
  const server = await company();
  const stream = streamView(server, sales);
  const sato = eg.signIn(server, 'sato');
  const received = await eventsOf(server, () =>
    sato.ok(api.unsubscribe, { subscriptions: [sales], principals: [server.user('mori')] }),
  );
  expect(received).toEqual({
    mori: [removed(stream), gone(stream)],
    ito: [peers('peer_remove', stream, [server.user('mori')])],
  });
});

it('[R6.1] A member who left a stream receives no later messages', async () => {
  const server = await company();
  const ito = await queueOf(eg.signIn(server, 'ito'));
  await eg.signIn(server, 'ito').ok(api.unsubscribe, { subscriptions: [sales] });
  await eg.signIn(server, 'mori').ok(api.sendMessage, { type: 'stream', to: sales, topic: 't', content: 'ひみつ' });
  expect((await ito.take()).map(inShort)).toEqual(['subscription remove', 'stream delete']);
});

it('Members who are removed from a private stream together get its deletion while they wait, and when they return much later', async () => {
  const server = await company();
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  const event_types = ['stream', 'message'];
  const [ito, mori] = [
    await queueOf(eg.signIn(server, 'ito'), { event_types }),
    await queueOf(eg.signIn(server, 'mori'), { event_types }),
  ];
  const began = ito.cursor;
  const waiting = ito.wait();
  await settled();
  const people = ['ito', 'mori'].map(server.user);
  await sato.ok(api.unsubscribe, { subscriptions: [sales], principals: people });
  const { database, log } = fileOf(server);
  const logged = log.after(database.reader, began, 99).filter(({ type }) => type === 'stream');
  // The second event closes the stream for its members, of whom none is left.
  expect(logged.map(({ payload }) => JSON.parse(payload).user_ids)).toEqual([people, undefined]);
  const stream = streamView(server, sales);
  expect(await waiting).toEqual([{ ...gone(stream), id: expect.any(Number) }]);
  for (let sent = 0; sent < 60; sent += 1) await tanaka.ok(api.sendMessage, eg.streamMessage('また', square));
  const forGuest = { ...gone({ ...stream, creator_id: null }), id: expect.any(Number) };
  expect((await mori.take()).filter(({ type }) => type === 'stream')).toEqual([forGuest]);
});

it('PATCH /users/me/subscriptions that joins one stream and leaves another publishes events for both', async () => {
  const server = await company();
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'ito').ok(api.updateSubscriptions, { add: [{ name: '企画' }], delete: [sales] }),
  );
  const stream = await justCreated(server, 'ito', '企画', true);
  expect(received).toEqual({
    ito: [
      created(stream),
      added(stream, [server.user('ito')]),
      removed(streamView(server, sales)),
      gone(streamView(server, sales)),
    ],
    mori: [peers('peer_remove', streamView(server, sales), [server.user('ito')])],
  });
});

it('When the last subscribers leave a private stream, the stream is closed, and they get the events of leaving', async () => {
  const server = await company();
  const stream = streamView(server, sales);
  const people = ['ito', 'mori'];
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'sato').ok(api.unsubscribe, { subscriptions: [sales], principals: people.map(server.user) }),
  );
  expect(received).toEqual(each(people, removed(stream), gone(stream)));
  const refusal = await eg.signIn(server, 'sato').refused(api.deleteStream, { stream_id: server.stream(sales) });
  expect(refusal).toMatchObject({ msg: 'Stream is already deactivated' });
});

it('[R6.1] [R2.11.4] When a private stream is closed, only its subscribers get an event', async () => {
  const server = await company();
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'sato').ok(api.deleteStream, { stream_id: server.stream(sales) }),
  );
  expect(received).toEqual(each(['ito', 'mori'], gone(streamView(server, sales))));
});

it('[R6.1] When a public stream is closed, everyone who could see it gets an event', async () => {
  const server = await company();
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'tanaka').ok(api.deleteStream, { stream_id: server.stream(square) }),
  );
  expect(received).toEqual(each([...members, 'ito', 'mori'], gone(streamView(server, square))));
});
