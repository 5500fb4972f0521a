import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { inShort, queueOf } from '../testing/queue.ts';
import { mostTogether } from '../turns.ts';

const state = { fetch_event_types: ['message', 'update_message_flags'] };

/** Six unread messages for sato, in two streams and a direct conversation. */
async function setup() {
  const server = await eg.server();
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  const send = async (content: string, to: string, topic: string) =>
    (await tanaka.ok(api.sendMessage, { type: 'stream', to, topic, content })).id;
  const ids = {
    lunch: await send('一', eg.general, '昼食'),
    budget: await send('二', eg.general, '予算'),
    more: await send('三', eg.general, '昼食'),
    personal: await send('四', eg.personnel, '昼食'),
    direct: (await tanaka.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user('sato')]), content: '五' }))
      .id,
  };
  const unread = async () => {
    const { unread_msgs } = await sato.ok(api.registerQueue, state);
    const { streams = [], pms = [] } = unread_msgs ?? {};
    return [...streams, ...pms].flatMap((place) => place.unread_message_ids).toSorted((one, other) => one - other);
  };
  return { server, sato, ids, unread, stream_id: server.stream(eg.general), queue: await queueOf(sato) };
}

it('POST /mark_all_as_read marks the messages of all conversations as read and names them in an event', async () => {
  const { sato, ids, unread, queue } = await setup();
  expect(await unread()).toEqual(Object.values(ids));
  expect(await sato.ok(api.markAllAsRead, {})).toEqual({ complete: true });
  expect(await unread()).toEqual([]);
  const [event, ...others] = await queue.take();
  expect([event && inShort(event).split(' ').slice(0, 2), others]).toEqual([['add', 'read'], []]);
  expect(event?.type === 'update_message_flags' && event.messages.toSorted((a, b) => a - b)).toEqual(Object.values(ids));
});

it('POST /mark_stream_as_read marks only the messages of the stream as read', async () => {
  const { sato, ids, unread, stream_id, queue } = await setup();
  await sato.ok(api.markStreamAsRead, { stream_id });
  expect(await unread()).toEqual([ids.personal, ids.direct]);
  expect((await queue.take()).map(inShort)).toEqual([`add read ${[ids.lunch, ids.budget, ids.more].join()}`]);
  await sato.ok(api.markStreamAsRead, { stream_id });
  expect(await queue.take()).toEqual([]);
});

it('POST /mark_topic_as_read marks only the messages of the topic as read, in any letter case', async () => {
  const { server, sato, ids, unread, stream_id, queue } = await setup();
  const { id } = await eg.signIn(server, 'tanaka').ok(api.sendMessage, eg.streamMessage('六'));
  await sato.ok(api.markTopicAsRead, { stream_id, topic_name: '昼食' });
  await sato.ok(api.markTopicAsRead, { stream_id, topic_name: 'T' });
  expect(await unread()).toEqual([ids.budget, ids.personal, ids.direct]);
  expect((await queue.take()).map(inShort).slice(1)).toEqual([`add read ${ids.lunch},${ids.more}`, `add read ${id}`]);
});

it('POST /mark_topic_as_read refuses a topic without messages, and both calls refuse a stream that the member cannot see', async () => {
  const { server, sato, stream_id } = await setup();
  const topic = { stream_id, topic_name: '夕食' };
  expect(await sato.refused(api.markTopicAsRead, topic)).toMatchObject({ status: 400, msg: "No such topic '夕食'" });
  const secret = { stream_id: server.stream(eg.board) };
  expect(await sato.refused(api.markStreamAsRead, secret)).toMatchObject({ msg: 'Invalid stream ID' });
  expect(await sato.refused(api.markTopicAsRead, { ...secret, topic_name: '昼食' })).toMatchObject({ msg: 'Invalid stream ID' });
});

it('POST /mark_all_as_read marks more messages than one transaction holds', async () => {
  const count = 2 * mostTogether + 1;
  const organisation = eg.organisation({
    messages: Array.from({ length: count }, (_, index) => eg.pastMessage(`${index}`)),
    unread: [{ email: eg.emailOf('sato'), stream: eg.general, count }],
  });
  const sato = eg.signIn(await eg.server({ organisation }), 'sato');
  const count_of = async () => (await sato.ok(api.registerQueue, state)).unread_msgs?.count;
  expect(await count_of()).toBe(count);
  const queue = await queueOf(sato);
  expect(await sato.ok(api.markAllAsRead, {})).toEqual({ complete: true });
  expect(await count_of()).toBe(0);
  expect(await queue.take()).toHaveLength(3);
});
