import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { inShort, queueOf } from '../testing/queue.ts';

async function setup() {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  const stream_id = server.stream(eg.general);
  const due = (seconds: number) => Math.floor(server.clock.now() / 1000) + seconds;
  const schedule = async (content: string, seconds: number) =>
    (
      await suzuki.ok(api.createScheduledMessage, {
        type: 'stream',
        to: stream_id,
        topic: '予定',
        content,
        scheduled_delivery_timestamp: due(seconds),
      })
    ).scheduled_message_id;
  const list = async () => (await suzuki.ok(api.getScheduledMessages, {})).scheduled_messages;
  const sent = async () => {
    const narrow = [{ operator: 'stream', operand: eg.general }];
    const around = { anchor: 'newest', num_before: 999, num_after: 0, narrow, apply_markdown: false };
    return (await eg.signIn(server, 'tanaka').ok(api.getMessages, around)).messages.map(({ content }) => content);
  };
  return { server, suzuki, stream_id, due, schedule, list, sent };
}

it('A scheduled message is sent at its time to the members of the stream, and is then no longer listed', async () => {
  const { server, suzuki, stream_id, due, schedule, list, sent } = await setup();
  const at = due(60);
  const id = await schedule('**会議**です', 60);
  const view = {
    scheduled_message_id: id,
    type: 'stream',
    to: stream_id,
    topic: '予定',
    content: '**会議**です',
    rendered_content: expect.stringContaining('会議'),
    scheduled_delivery_timestamp: at,
    failed: false,
  };
  expect(await list()).toEqual([view]);
  expect((await suzuki.ok(api.registerQueue, {})).scheduled_messages).toEqual([view]);
  const [own, others] = [await queueOf(suzuki), await queueOf(eg.signIn(server, 'tanaka'))];
  await server.clock.advance(58);
  expect(await sent()).toEqual([]);
  await server.clock.advance(3);
  expect(await sent()).toEqual(['**会議**です']);
  expect((await own.take()).map(inShort)).toEqual(['message **会議**です', 'scheduled_messages']);
  expect((await others.take()).map(inShort)).toEqual(['message **会議**です']);
  expect(await list()).toEqual([]);
});

it('A message that was due while the server was down is sent once after the restart', async () => {
  const { server, schedule, sent, list } = await setup();
  await schedule('一度だけ', 10);
  await server.close();
  await server.clock.jump(3600);
  await server.restart();
  await server.clock.advance(3);
  await server.restart();
  await server.clock.advance(3);
  expect(await sent()).toEqual(['一度だけ']);
  expect(await list()).toEqual([]);
});

it('At most 50 scheduled messages are sent at once, the earliest first, and the others follow', async () => {
  const { server, schedule, sent } = await setup();
  const count = api.maxScheduledSentAtOnce + 10;
  for (let index = 0; index < count; index += 1) await schedule(`${index}`, 10 + index);
  await server.clock.jump(3600);
  expect(await sent()).toEqual(Array.from({ length: api.maxScheduledSentAtOnce }, (_, index) => `${index}`));
  await server.clock.advance(2);
  expect(await sent()).toHaveLength(count);
});

it('A message that its author may no longer send has failed, and is sent after a new time', async () => {
  const { server, suzuki, due, schedule, list, sent } = await setup();
  const tanaka = eg.signIn(server, 'tanaka');
  const scheduled_message_id = await schedule('あとで', 10);
  const queue = await queueOf(suzuki, { event_types: ['scheduled_messages'] });
  await suzuki.ok(api.unsubscribe, { subscriptions: [eg.general] });
  await server.clock.advance(20);
  expect(await list()).toMatchObject([{ failed: true }]);
  expect(await queue.take()).toMatchObject([{ op: 'update', scheduled_message: { failed: true } }]);
  await tanaka.ok(api.subscribe, { subscriptions: [{ name: eg.general }], principals: [server.user('suzuki')] });
  const refusal = await suzuki.refused(api.updateScheduledMessage, { scheduled_message_id, content: '同じ時刻' });
  expect(refusal).toMatchObject({ msg: 'Scheduled delivery time must be in the future.' });
  await suzuki.ok(api.updateScheduledMessage, { scheduled_message_id, scheduled_delivery_timestamp: due(30) });
  expect(await list()).toMatchObject([{ failed: false }]);
  await server.clock.advance(32);
  expect((await sent()).filter((content) => content === 'あとで')).toHaveLength(1);
});

it('A message that its author moves to another conversation while its delivery fails does not count as failed, and is sent', async () => {
  const { server, suzuki, schedule, list } = await setup();
  const scheduled_message_id = await schedule('総務部には送れない', 10);
  await suzuki.ok(api.unsubscribe, { subscriptions: [eg.general] });
  const to = server.stream(eg.board);
  await server.clock.advance(9);
  // This timer comes after the server's, so that the change follows the attempt to send in the same transaction.
  const moving: Promise<unknown>[] = [];
  const stop = server.clock.every(1000, () => moving.push(suzuki.ok(api.updateScheduledMessage, { scheduled_message_id, to })));
  await server.clock.advance(1);
  stop();
  await Promise.all(moving);
  expect(await list()).toMatchObject([{ to, failed: false }]);
  await server.clock.advance(1);
  const { messages } = await suzuki.ok(api.getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
  expect(messages).toMatchObject([{ stream_id: to }]);
  expect(await list()).toEqual([]);
});

it('A deactivated member sends no scheduled message', async () => {
  const { server, schedule, sent } = await setup();
  await schedule('もういない', 10);
  await eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id: server.user('suzuki') });
  await server.clock.advance(20);
  expect(await sent()).toEqual([]);
});

it('PATCH /scheduled_messages/{id} changes the text, the address and the time, and DELETE cancels the message', async () => {
  const { server, suzuki, due, schedule, list, sent } = await setup();
  const scheduled_message_id = await schedule('下書き', 10);
  const to = [server.user('tanaka')];
  const change = { content: '清書', scheduled_delivery_timestamp: due(100) };
  await suzuki.ok(api.updateScheduledMessage, { scheduled_message_id, type: 'direct', to, ...change });
  expect(await list()).toMatchObject([{ type: 'private', to, content: '清書', scheduled_delivery_timestamp: due(100) }]);
  expect((await list())[0]).not.toHaveProperty('topic');
  await server.clock.advance(20);
  expect(await list()).toHaveLength(1);
  await suzuki.ok(api.deleteScheduledMessage, { scheduled_message_id });
  await server.clock.advance(100);
  expect([await list(), await sent()]).toEqual([[], []]);
  const none = { status: 404, msg: 'Scheduled message does not exist' };
  expect(await suzuki.refused(api.deleteScheduledMessage, { scheduled_message_id })).toMatchObject(none);
});

it.each<[string, object, string]>([
  ['a time that is not in the future', { scheduled_delivery_timestamp: 1 }, 'Scheduled delivery time must be in the future.'],
  ['an unknown stream', { to: 987_654 }, "Stream with ID '987654' does not exist"],
  ['an unknown user', { type: 'direct', to: [987_654] }, 'Invalid user ID 987654'],
  ['a stream for a direct message', { type: 'direct' }, 'Invalid data type for recipients'],
  ['users for a stream message', { to: [1] }, 'Invalid data type for stream ID'],
  ['a stream message without a topic', { topic: undefined }, 'Missing topic'],
  ['an empty text', { content: ' ' }, 'Message must not be empty'],
])('POST /scheduled_messages refuses %s', async (_, change, msg) => {
  const { suzuki, stream_id, due, list } = await setup();
  const call = { type: 'stream' as const, to: stream_id, topic: '予定', content: 'c', scheduled_delivery_timestamp: due(9) };
  expect(await suzuki.refused(api.createScheduledMessage, { ...call, ...change })).toMatchObject({ status: 400, msg });
  expect(await list()).toEqual([]);
});

it('A member has at most 200 scheduled messages', async () => {
  const { suzuki, stream_id, due, schedule } = await setup();
  for (let index = 0; index < api.maxScheduledMessages; index += 1) await schedule('c', 10);
  const call = { type: 'stream' as const, to: stream_id, topic: '予定', content: 'c', scheduled_delivery_timestamp: due(9) };
  const msg = 'Too many scheduled messages (limit: 200).';
  expect(await suzuki.refused(api.createScheduledMessage, call)).toMatchObject({ msg });
});

it('isFileScheduled finds a file in the scheduled messages of the given member only, and no longer after the message is cancelled', async () => {
  const { server, suzuki, schedule } = await setup();
  const storedName = `${'a'.repeat(20)}.txt`;
  const scheduled_message_id = await schedule(`[資料](${api.uploadLink(storedName, '資料.txt')})`, 60);
  const isScheduled = (by: string, name = storedName) => server.running().isFileScheduled(server.user(by), name);
  expect([isScheduled('suzuki'), isScheduled('tanaka'), isScheduled('suzuki', 'b'.repeat(20))]).toEqual([true, false, false]);
  await suzuki.ok(api.deleteScheduledMessage, { scheduled_message_id });
  expect(isScheduled('suzuki')).toBe(false);
});
