import {
  type Stream,
  deleteStream,
  getStreamId,
  sendMessage,
  subscribe,
  unsubscribe,
  updateSubscriptions,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import { company, everyone, inside, leaver, outside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { inShort, queueOf } from '../testing/queue.ts';

/** An event without its id. */
type Told = object;
type Heard = Readonly<Record<string, readonly Told[]>>;

/** What everyone hears of what is done, by who they are. Who is not named hears nothing. */
async function heardOf(server: eg.Server, change: () => Promise<unknown>): Promise<Heard> {
  const queues = await Promise.all(everyone.map(async (name) => [name, await queueOf(eg.signIn(server, name))] as const));
  await change();
  const heard: Record<string, Told[]> = {};
  for (const [name, queue] of queues) {
    const events = await queue.take();
    if (events.length > 0) heard[name] = events.map((event) => ({ ...event, id: undefined }));
  }
  return heard;
}

/** The same events to each of them. */
const each = (names: readonly string[], ...events: Told[]): Heard => Object.fromEntries(names.map((name) => [name, events]));

const members = [outside.owner, outside.administrator, outside.moderator, outside.member, leaver];

function streamOf(server: eg.Server, name: string, change: Partial<Stream> = {}): Stream {
  return {
    stream_id: server.stream(name),
    name,
    description: `${name}の連絡`,
    rendered_description: `${name}の連絡`,
    date_created: Date.UTC(2026, 3, 1) / 1000,
    creator_id: server.user('ito'),
    invite_only: name !== square,
    is_web_public: false,
    is_archived: false,
    stream_post_policy: 1,
    history_public_to_subscribers: true,
    message_retention_days: null,
    first_message_id: server.messages[[square, sales].indexOf(name)] ?? null,
    stream_weekly_traffic: null,
    is_announcement_only: false,
    is_recently_active: true,
    picture_url: null,
    ...change,
  };
}

const created = (stream: Stream) => ({ type: 'stream', op: 'create', streams: [stream] }) as const;
const gone = (stream: Stream) => ({ type: 'stream', op: 'delete', streams: [stream], stream_ids: [stream.stream_id] });
const added = (stream: Stream, subscribers: readonly number[]) => ({
  type: 'subscription',
  op: 'add',
  subscriptions: [
    {
      ...stream,
      color: expect.stringMatching(/^#[\da-f]{6}$/),
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: false,
      audible_notifications: true,
      push_notifications: true,
      email_notifications: false,
      wildcard_mentions_notify: true,
      put_away: false,
      subscribers,
    },
  ],
});
const removed = ({ stream_id, name }: Stream) => ({
  type: 'subscription',
  op: 'remove',
  subscriptions: [{ name, stream_id }],
});
const peers = (op: 'peer_add' | 'peer_remove', { stream_id }: Stream, user_ids: readonly number[]) => ({
  type: 'subscription',
  op,
  stream_ids: [stream_id],
  user_ids,
});

/** A stream that a call has just made. */
async function made(server: eg.Server, by: string, name: string, change: Partial<Stream> = {}): Promise<Stream> {
  const { stream_id } = await eg.signIn(server, by).ok(getStreamId, { stream: name });
  return streamOf(server, square, {
    stream_id,
    name,
    description: '',
    rendered_description: '',
    date_created: Math.floor(server.clock.now() / 1000),
    creator_id: server.user(by),
    first_message_id: null,
    ...change,
  });
}

describe('a new stream is told of', () => {
  it('[R6.1] [R2.7.2] when it is private to its first subscribers, and to nobody else', async () => {
    const server = await company();
    const suzuki = eg.signIn(server, 'suzuki');
    const people = ['suzuki', leaver, outside.guest];
    const heard = await heardOf(server, () =>
      suzuki.ok(subscribe, { subscriptions: [{ name: '企画' }], principals: people.map(server.user) }),
    );
    const stream = await made(server, 'suzuki', '企画', { invite_only: true });
    const subscribers = people.map(server.user).toSorted((one, other) => one - other);
    expect(heard).toEqual(each(people, created(stream), added(stream, subscribers)));
  });

  it('[R6.1] when it is public to everyone but the guests outside', async () => {
    const server = await company();
    const sato = eg.signIn(server, 'sato');
    const people = ['sato', outside.guest].map(server.user);
    const heard = await heardOf(server, () =>
      sato.ok(subscribe, { subscriptions: [{ name: '掲示板' }], principals: people, invite_only: false }),
    );
    const stream = await made(server, 'sato', '掲示板');
    expect(heard).toEqual({
      ...each([...members, inside.member], created(stream), peers('peer_add', stream, people)),
      sato: [created(stream), added(stream, people), peers('peer_add', stream, [server.user(outside.guest)])],
      ...each([outside.guest], created(stream), added(stream, people)),
    });
  });
});

describe('a subscription that begins is told of', () => {
  it('[R6.1] in a private stream to those who are inside, and the newcomer learns first that it is there', async () => {
    const server = await company();
    const stream = streamOf(server, sales);
    const people = ['mori', 'sato'].map(server.user);
    const heard = await heardOf(server, () =>
      eg.signIn(server, 'ito').ok(subscribe, { subscriptions: [{ name: sales }], principals: people }),
    );
    expect(heard).toEqual({
      ...each(['sato'], created(stream), added(stream, ['sato', 'ito', 'mori'].map(server.user))),
      ...each(['ito', 'mori'], peers('peer_add', stream, [server.user('sato')])),
    });
  });

  it('[R6.1] in a public stream to everyone who can see it', async () => {
    const server = await company();
    const stream = streamOf(server, square);
    const people = ['suzuki', outside.guest].map(server.user);
    const heard = await heardOf(server, () =>
      eg.signIn(server, 'suzuki').ok(subscribe, { subscriptions: [{ name: square }], principals: people }),
    );
    const subscribers = ['suzuki', 'takahashi', 'ito', 'mori'].map(server.user);
    expect(heard).toEqual({
      ...each([...members, 'ito', 'mori'], peers('peer_add', stream, people)),
      suzuki: [added(stream, subscribers), peers('peer_add', stream, [server.user(outside.guest)])],
      ...each([outside.guest], created(stream), added(stream, subscribers)),
    });
  });

  it('as one of others to those who came with them to a public stream, whether they are there still', async () => {
    const server = await company();
    const suzuki = eg.signIn(server, 'suzuki');
    const queue = await queueOf(suzuki);
    const principals = ['suzuki', 'sato'].map(server.user);
    await suzuki.ok(subscribe, { subscriptions: [{ name: square }], principals });
    await suzuki.ok(unsubscribe, { subscriptions: [square] });
    const stream = streamOf(server, square);
    expect(await queue.take()).toMatchObject([peers('peer_add', stream, [server.user('sato')]), removed(stream)]);
  });

  it('to nobody where everybody was there already', async () => {
    const server = await company();
    const ito = eg.signIn(server, 'ito');
    expect(await heardOf(server, () => ito.ok(subscribe, { subscriptions: [{ name: sales }] }))).toEqual({});
  });

  it('before what is said there next, and wakes those who wait', async () => {
    const server = await company();
    const suzuki = await queueOf(eg.signIn(server, 'suzuki'));
    const waiting = suzuki.wait();
    await settled();
    const ito = eg.signIn(server, 'ito');
    await ito.ok(subscribe, { subscriptions: [{ name: sales }], principals: [eg.emailOf('suzuki')] });
    expect((await waiting).map(inShort)).toEqual(['stream create', 'subscription add']);
    await ito.ok(sendMessage, { type: 'stream', to: sales, topic: 't', content: 'ようこそ' });
    expect((await suzuki.take()).map(inShort)).toEqual(['message ようこそ']);
  });
});

describe('a subscription that ends is told of', () => {
  it('[R6.1] in a private stream to those who stay, and the one who leaves cannot see it any more', async () => {
    const server = await company();
    const stream = streamOf(server, sales);
    const heard = await heardOf(server, () => eg.signIn(server, 'ito').ok(unsubscribe, { subscriptions: [sales] }));
    expect(heard).toEqual({
      ito: [removed(stream), gone(stream)],
      mori: [peers('peer_remove', stream, [server.user('ito')])],
    });
  });

  it('[R6.1] in a public stream to everyone who can see it; a guest who leaves cannot', async () => {
    const server = await company();
    const stream = streamOf(server, square);
    const people = ['ito', 'mori'].map(server.user);
    const principals = [...people, server.user('suzuki')];
    const heard = await heardOf(server, () => eg.signIn(server, 'sato').ok(unsubscribe, { subscriptions: [square], principals }));
    expect(heard).toEqual({
      ...each(members, peers('peer_remove', stream, people)),
      ito: [removed(stream), peers('peer_remove', stream, [server.user('mori')])],
      mori: [removed(stream), gone(stream)],
    });
  });

  it('[R6.1] to the administrator who ends it from outside by the answer only', async () => {
    const server = await company();
    const stream = streamOf(server, sales);
    const sato = eg.signIn(server, 'sato');
    const heard = await heardOf(server, () =>
      sato.ok(unsubscribe, { subscriptions: [sales], principals: [server.user('mori')] }),
    );
    expect(heard).toEqual({
      mori: [removed(stream), gone(stream)],
      ito: [peers('peer_remove', stream, [server.user('mori')])],
    });
  });

  it('[R6.1] and the one who left hears nothing that is said from then on', async () => {
    const server = await company();
    const ito = await queueOf(eg.signIn(server, 'ito'));
    await eg.signIn(server, 'ito').ok(unsubscribe, { subscriptions: [sales] });
    await eg.signIn(server, 'mori').ok(sendMessage, { type: 'stream', to: sales, topic: 't', content: 'ひみつ' });
    expect((await ito.take()).map(inShort)).toEqual(['subscription remove', 'stream delete']);
  });

  it('with the one that begins in the same change', async () => {
    const server = await company();
    const heard = await heardOf(server, () =>
      eg.signIn(server, 'ito').ok(updateSubscriptions, { add: [{ name: '企画' }], delete: [sales] }),
    );
    const stream = await made(server, 'ito', '企画', { invite_only: true });
    expect(heard).toEqual({
      ito: [
        created(stream),
        added(stream, [server.user('ito')]),
        removed(streamOf(server, sales)),
        gone(streamOf(server, sales)),
      ],
      mori: [peers('peer_remove', streamOf(server, sales), [server.user('ito')])],
    });
  });

  it('when it was the last of a private stream as any other, and the stream is closed', async () => {
    const server = await company();
    const stream = streamOf(server, sales);
    const people = ['ito', 'mori'];
    const heard = await heardOf(server, () =>
      eg.signIn(server, 'sato').ok(unsubscribe, { subscriptions: [sales], principals: people.map(server.user) }),
    );
    expect(heard).toEqual(each(people, removed(stream), gone(stream)));
    const refusal = await eg.signIn(server, 'sato').refused(deleteStream, { stream_id: server.stream(sales) });
    expect(refusal).toMatchObject({ msg: 'Stream is already deactivated' });
  });
});

describe('a stream that is closed is told of', () => {
  it('[R6.1] [R2.11.4] when it is private to its subscribers, and to nobody else', async () => {
    const server = await company();
    const heard = await heardOf(server, () => eg.signIn(server, 'sato').ok(deleteStream, { stream_id: server.stream(sales) }));
    expect(heard).toEqual(each(['ito', 'mori'], gone(streamOf(server, sales))));
  });

  it('[R6.1] when it is public to everyone who could see it', async () => {
    const server = await company();
    const heard = await heardOf(server, () => eg.signIn(server, 'tanaka').ok(deleteStream, { stream_id: server.stream(square) }));
    expect(heard).toEqual(each([...members, 'ito', 'mori'], gone(streamOf(server, square))));
  });
});
