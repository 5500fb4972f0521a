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
import { inShort, queueOf } from '../testing/queue.ts';

/** An event without its id. */
type TestEvent = object;
type Received = Readonly<Record<string, readonly TestEvent[]>>;

/** The events that each member receives because of the change. Members without events are left out. */
async function eventsOf(server: eg.Server, change: () => Promise<unknown>): Promise<Received> {
  const queues = await Promise.all(everyone.map(async (name) => [name, await queueOf(eg.signIn(server, name))] as const));
  await change();
  const received: Record<string, TestEvent[]> = {};
  for (const [name, queue] of queues) {
    const events = await queue.take();
    if (events.length > 0) received[name] = events.map((event) => ({ ...event, id: undefined }));
  }
  return received;
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

it('[R6.1] [R2.7.2] Creating a private stream sends it only to its first subscribers', async () => {
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

it('[R6.1] Creating a public stream sends it to everyone except guests outside', async () => {
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

it('[R6.1] Joining a private stream notifies its subscribers, and sends the stream to the new subscriber first', async () => {
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

it('[R6.1] Joining a public stream notifies everyone who can see it', async () => {
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

it('A member who joined a public stream receives peer_add for the others who joined, even after these have left', async () => {
  const server = await company();
  const suzuki = eg.signIn(server, 'suzuki');
  const queue = await queueOf(suzuki);
  const principals = ['suzuki', 'sato'].map(server.user);
  await suzuki.ok(api.subscribe, { subscriptions: [{ name: square }], principals });
  await suzuki.ok(api.unsubscribe, { subscriptions: [square] });
  const stream = streamView(server, square);
  expect(await queue.take()).toMatchObject([peers('peer_add', stream, [server.user('sato')]), removed(stream)]);
});

it('Joining a stream publishes nothing if everyone was subscribed already', async () => {
  const server = await company();
  const ito = eg.signIn(server, 'ito');
  expect(await eventsOf(server, () => ito.ok(api.subscribe, { subscriptions: [{ name: sales }] }))).toEqual({});
});

it('The events of a join are delivered before later messages and wake a waiting poll', async () => {
  const server = await company();
  const suzuki = await queueOf(eg.signIn(server, 'suzuki'));
  const waiting = suzuki.wait();
  await settled();
  const ito = eg.signIn(server, 'ito');
  await ito.ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [eg.emailOf('suzuki')] });
  expect((await waiting).map(inShort)).toEqual(['stream create', 'subscription add']);
  await ito.ok(api.sendMessage, { type: 'stream', to: sales, topic: 't', content: 'ようこそ' });
  expect((await suzuki.take()).map(inShort)).toEqual(['message ようこそ']);
});

it('[R6.1] Leaving a private stream notifies the remaining subscribers and removes the stream for the member who left', async () => {
  const server = await company();
  const stream = streamView(server, sales);
  const received = await eventsOf(server, () => eg.signIn(server, 'ito').ok(api.unsubscribe, { subscriptions: [sales] }));
  expect(received).toEqual({
    ito: [removed(stream), gone(stream)],
    mori: [peers('peer_remove', stream, [server.user('ito')])],
  });
});

it('[R6.1] Leaving a public stream notifies everyone who can see it and removes the stream for a guest who left', async () => {
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

it('[R6.1] An administrator outside a private stream receives no event when they remove a subscriber', async () => {
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

it('One call that joins and leaves streams publishes both changes', async () => {
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

it('A private stream closes when the last subscriber leaves, and publishes the usual events', async () => {
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

it('[R6.1] [R2.11.4] Closing a private stream notifies only its subscribers', async () => {
  const server = await company();
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'sato').ok(api.deleteStream, { stream_id: server.stream(sales) }),
  );
  expect(received).toEqual(each(['ito', 'mori'], gone(streamView(server, sales))));
});

it('[R6.1] Closing a public stream notifies everyone who could see it', async () => {
  const server = await company();
  const received = await eventsOf(server, () =>
    eg.signIn(server, 'tanaka').ok(api.deleteStream, { stream_id: server.stream(square) }),
  );
  expect(received).toEqual(each([...members, 'ito', 'mori'], gone(streamView(server, square))));
});
