import { type ParametersIn, type registerQueue, sendMessage, subscribe, unsubscribe, updateMessageFlags } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { messages } from '../messages/store.ts';
import { settled } from '../testing/clock.ts';
import { company, inside, outside, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { inShort, queueOf, waits } from '../testing/queue.ts';

async function setup() {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  return {
    server,
    tanaka,
    send: (content: string, to: string = eg.general) => tanaka.ok(sendMessage, eg.streamMessage(content, to)),
    queueOf: (name: string, request: ParametersIn<typeof registerQueue> = {}) => queueOf(eg.signIn(server, name), request),
  };
}

it('[R1.7] A message event contains the source text of the message and the flags of the receiving member', async () => {
  const { server, send, queueOf } = await setup();
  const [tanaka, sato] = [await queueOf('tanaka'), await queueOf('sato')];
  const { id } = await send('縁側で');
  expect(await sato.take()).toEqual([
    {
      id: sato.cursor,
      type: 'message',
      message: expect.objectContaining({
        id,
        content: '縁側で',
        content_type: 'text/x-markdown',
        sender_id: server.user('tanaka'),
        stream_id: server.stream(eg.general),
        display_recipient: eg.general,
      }),
      flags: [],
    },
  ]);
  expect(await tanaka.take()).toMatchObject([{ flags: ['read'] }]);
});

it('A message event contains HTML on a queue with apply_markdown, and the source text on any other queue', async () => {
  const { send, queueOf } = await setup();
  const [html, typed] = [await queueOf('sato', { apply_markdown: true }), await queueOf('sato')];
  await send('<b>');
  const asHtml = { content: '<p>&#60;b&#62;</p>', content_type: 'text/html' };
  expect(await html.take()).toMatchObject([{ message: asHtml }]);
  expect(await typed.take()).toMatchObject([{ message: { content: '<b>', content_type: 'text/x-markdown' } }]);
});

it('Many waiting polls receive one message, each in its own format and with the flags of its member', async () => {
  const { send, queueOf } = await setup();
  const queues = await Promise.all([
    queueOf('tanaka'),
    queueOf('sato'),
    queueOf('suzuki'),
    queueOf('tanaka', { apply_markdown: true }),
    queueOf('sato', { apply_markdown: true }),
  ]);
  const waiting = Promise.all(queues.map((queue) => queue.wait()));
  await settled();
  await send('縁');
  const received = (await waiting).flat();
  expect(received.map((event) => event.type === 'message' && [event.message.content, event.flags])).toEqual([
    ['縁', ['read']],
    ['縁', []],
    ['縁', []],
    ['<p>縁</p>', ['read']],
    ['<p>縁</p>', []],
  ]);
});

it('A waiting member receives the messages of a stream only while being its member', async () => {
  const { server, tanaka, send, queueOf } = await setup();
  const principals = [server.user('sato')];
  const onlyMessages = { event_types: ['message'] };
  const [sato, suzuki] = [await queueOf('sato', onlyMessages), await queueOf('suzuki', onlyMessages)];
  const receivers = async (content: string) => {
    const waiting = [sato.wait(), suzuki.wait()];
    await settled();
    await send(content);
    return Promise.all(waiting.map(async (poll) => ((await waits(poll)) ? 'waits' : (await poll).map(inShort).join())));
  };
  expect(await receivers('一')).toEqual(['message 一', 'message 一']);
  await tanaka.ok(unsubscribe, { subscriptions: [eg.general], principals });
  expect(await receivers('二')).toEqual(['waits', 'message 二']);
  await tanaka.ok(subscribe, { subscriptions: [{ name: eg.general }], principals });
  // The announcement of the new member.
  await Promise.all([sato.take(), suzuki.take()]);
  expect(await receivers('三')).toEqual(['message 三', 'message 三']);
});

it('A message event contains the flags at its delivery, including a star that was set after the message was sent', async () => {
  const { server, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  const { id } = await send('一');
  await eg.signIn(server, 'sato').ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  expect(await sato.take()).toMatchObject([{ flags: ['starred'] }, { op: 'add', flag: 'starred', messages: [id] }]);
});

it('A message event contains local_message_id only on the queue that the sender named in POST /messages', async () => {
  const { tanaka, queueOf } = await setup();
  const [named, other, sato] = [await queueOf('tanaka'), await queueOf('tanaka'), await queueOf('sato')];
  await tanaka.ok(sendMessage, { ...eg.streamMessage('一'), queue_id: named.id, local_id: '17.01', read_by_sender: false });
  expect(await named.take()).toMatchObject([{ local_message_id: '17.01' }]);
  for (const queue of [other, sato]) expect((await queue.take())[0]).not.toHaveProperty('local_message_id');
});

it('A message event contains an empty local_message_id, if the sender gave one, only on the queue that the sender named', async () => {
  const { tanaka, queueOf } = await setup();
  const [named, sato] = [await queueOf('tanaka'), await queueOf('sato')];
  const both = Promise.all([named.wait(), sato.wait()]);
  await settled();
  await tanaka.ok(sendMessage, { ...eg.streamMessage('一'), queue_id: named.id, local_id: '', read_by_sender: false });
  const [[onNamed], [onSatos]] = await both;
  expect(onNamed).toMatchObject({ local_message_id: '' });
  expect(onSatos).not.toHaveProperty('local_message_id');
});

it('[R4.9] A queue no longer delivers a message event after the message was deleted', async () => {
  const { server, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  const { id } = await send('消える');
  await send('残る');
  const { database } = fileOf(server);
  await database.write((tx) => messages.blank(tx, id, 1));
  expect((await sato.take()).map(inShort)).toEqual(['message 残る']);
});

it('A queue receives only events of the types that its client registered for', async () => {
  const { server, send, queueOf } = await setup();
  const sato = await queueOf('sato', { event_types: ['message'] });
  const flags = await queueOf('sato', { event_types: ['update_message_flags'] });
  const { id } = await send('一');
  await eg.signIn(server, 'sato').ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
  expect((await sato.take()).map(inShort)).toEqual(['message 一']);
  expect((await flags.take()).map(inShort)).toEqual([`add read ${id}`]);
});

it.each<[string, ParametersIn<typeof registerQueue>['narrow'], string[]]>([
  ['a stream', [['stream', eg.personnel]], ['message 人事', 'subscription peer_add']],
  ['a topic', [['topic', 'T']], ['message 総務', 'message 人事', 'subscription peer_add']],
  ['another topic', [['topic', 'x']], ['subscription peer_add']],
  ['a sender', [['sender', 'tanaka@example.com']], ['message 総務', 'message 人事', 'subscription peer_add']],
  ['another sender', [['sender', 'ito@example.com']], ['subscription peer_add']],
])(
  'A queue with a narrow (filter) for %s receives only matching messages, and all events of other types',
  async (_, narrow, received) => {
    const { server, send, queueOf } = await setup();
    const sato = await queueOf('sato', { narrow });
    await send('総務');
    await send('人事', eg.personnel);
    await joins(server, 'ito', eg.general);
    expect((await sato.take()).map(inShort)).toEqual(received);
  },
);

it('A queue receives an event when its own member marks a message as read, and none when another member does', async () => {
  const { server, send, queueOf } = await setup();
  const { id } = await send('一');
  const [sato, tanaka] = [await queueOf('sato'), await queueOf('tanaka')];
  await eg.signIn(server, 'sato').ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
  expect((await sato.take()).map(inShort)).toEqual([`add read ${id}`]);
  expect(await tanaka.take()).toEqual([]);
});

it('A queue with all_public_streams receives messages of public streams that its member has not joined, without flags', async () => {
  const server = await company();
  const suzuki = await queueOf(eg.signIn(server, outside.member), { all_public_streams: true });
  const { id } = await eg.signIn(server, inside.member).ok(sendMessage, eg.streamMessage('誰にでも', square));
  expect(await suzuki.take()).toMatchObject([{ type: 'message', message: { id }, flags: [] }]);
});

it('[R6.1] A member outside a stream receives no events about the stream', async () => {
  const { server, send, queueOf } = await setup();
  const [suzuki, takahashi, ito] = [await queueOf('suzuki'), await queueOf('takahashi'), await queueOf('ito')];
  await send('人事', eg.personnel);
  await joins(server, 'ito', eg.personnel);
  await leaves(server, 'ito', eg.personnel);
  for (const queue of [suzuki, takahashi]) expect(await queue.take()).toEqual([]);
  expect((await ito.take()).map(inShort)).not.toContain('message 人事');
});

it('[R6.1] When a member joins a stream, they receive its later messages, and the other subscribers receive a peer_add event', async () => {
  const { server, send, queueOf } = await setup();
  const [sato, ito] = [await queueOf('sato'), await queueOf('ito')];
  await send('前', eg.personnel);
  await joins(server, 'ito', eg.personnel);
  await send('後', eg.personnel);
  const events = await ito.take();
  expect(events.map(inShort)).toEqual(['stream create', 'subscription add', 'message 後']);
  expect(events[1]).toMatchObject({
    subscriptions: [{ name: eg.personnel, subscribers: ['tanaka', 'sato', 'ito'].map(server.user) }],
  });
  expect((await sato.take()).slice(1)).toMatchObject([
    { op: 'peer_add', stream_ids: [server.stream(eg.personnel)], user_ids: [server.user('ito')] },
    { type: 'message' },
  ]);
});

it('[R6.1] A member who joins a stream receives no events of earlier messages, even if the stream shares its history', async () => {
  const { server, send, queueOf } = await setup();
  const ito = await queueOf('ito');
  await send('前');
  await joins(server, 'ito', eg.general);
  expect((await ito.take()).map(inShort)).toEqual(['stream create', 'subscription add']);
});

it('[R6.1] After a member leaves a stream, their queue delivers none of its messages, not even those sent before they left', async () => {
  const { server, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  await send('まだ');
  await leaves(server, 'sato', eg.general);
  await send('もう');
  await joins(server, 'ito', eg.general);
  expect((await sato.take()).map(inShort)).toEqual(['add read 1', 'subscription remove', 'stream delete']);
});

it('[R6.1] When a member leaves a stream, the remaining subscribers receive a peer_remove event', async () => {
  const { server, queueOf } = await setup();
  const tanaka = await queueOf('tanaka');
  await leaves(server, 'sato', eg.personnel);
  expect(await tanaka.take()).toMatchObject([
    { op: 'peer_remove', stream_ids: [server.stream(eg.personnel)], user_ids: [server.user('sato')] },
  ]);
});

it('[R6.1] A member who leaves and rejoins a stream receives messages sent after the return, but none sent in between', async () => {
  const { server, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  await leaves(server, 'sato', eg.personnel);
  await send('留守', eg.personnel);
  await joins(server, 'sato', eg.personnel);
  await send('再び', eg.personnel);
  const left = ['subscription remove', 'stream delete'];
  const back = ['stream create', 'subscription add', 'message 再び'];
  expect((await sato.take()).map(inShort)).toEqual([...left, ...back]);
});
