import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import { logsEvents } from '../testing/membership.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { usedMemory } from '../testing/memory.ts';
import { inShort, queueOf, waits } from '../testing/queue.ts';
import { stopTaskTime } from '../testing/taskTime.ts';
import { EphemeralEvents } from './ephemeral.ts';

const withStreams = { client_capabilities: { stream_typing_notifications: true } };

const open = '掲示板';
const withPublicStream = eg.organisation({
  streams: [...eg.organisation().streams, { ...eg.stream(open, ['tanaka', 'sato']), invite_only: false }],
});

/** tanaka types in 総務部, and other members register queues. */
async function setup(organisation = eg.organisation()) {
  const server = await eg.server({ organisation });
  const tanaka = eg.signIn(server, 'tanaka');
  const startTyping = (topic: string, stream: string = eg.general, op: 'start' | 'stop' = 'start') =>
    tanaka.ok(api.setTypingStatus, { op, type: 'stream', stream_id: server.stream(stream), topic });
  return {
    server,
    tanaka,
    startTyping,
    stopTyping: (topic: string) => startTyping(topic, eg.general, 'stop'),
    send: (content: string, to: string = eg.general) => tanaka.ok(api.sendMessage, eg.streamMessage(content, to)),
    startTypingTo: (...names: string[]) =>
      tanaka.ok(api.setTypingStatus, { op: 'start', to: api.addressDirect(names.map(server.user)) }),
    queueOf: (name: string, request: api.ParametersIn<typeof api.registerQueue> = withStreams) =>
      queueOf(eg.signIn(server, name), request),
  };
}

it('[R3.8] A waiting poll receives a typing event as soon as a member types, without waiting for a timer', async () => {
  const { startTyping, queueOf } = await setup();
  const sato = await queueOf('sato');
  const waiting = sato.wait();
  expect(await waits(waiting)).toBe(true);
  await startTyping('昼食');
  expect((await waiting).map(inShort)).toEqual(['typing start 昼食']);
});

it('If no poll waits on a queue, the server keeps a typing event for it for fifteen seconds', async () => {
  const { server, startTyping, queueOf } = await setup();
  const [soon, late] = [await queueOf('sato'), await queueOf('suzuki')];
  await startTyping('昼食');
  await server.clock.jump(14.9);
  expect((await soon.wait()).map(inShort)).toEqual(['typing start 昼食']);
  await server.clock.jump(0.1);
  expect(await late.take()).toEqual([]);
});

it('Each queue of a member receives a typing event exactly once', async () => {
  const { startTyping, queueOf } = await setup();
  const [one, other] = [await queueOf('sato'), await queueOf('sato')];
  await startTyping('昼食');
  expect((await one.take()).map(inShort)).toEqual(['typing start 昼食']);
  expect(await one.take()).toEqual([]);
  expect(await waits(one.wait())).toBe(true);
  expect((await other.take()).map(inShort)).toEqual(['typing start 昼食']);
});

it('A poll that repeats unacknowledged events does not repeat an ephemeral event', async () => {
  const { startTyping, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  await send('一');
  await startTyping('昼食');
  expect((await sato.peek()).map(inShort)).toEqual(['message 一', 'typing start 昼食']);
  expect((await sato.peek()).map(inShort)).toEqual(['message 一']);
});

it('If two polls begin on one queue at the same time, only one of them receives an ephemeral event', async () => {
  const { startTyping, queueOf } = await setup();
  const sato = await queueOf('sato');
  const both = [sato.wait(), sato.wait()];
  await settled();
  await startTyping('昼食');
  expect((await Promise.all(both)).flat().map(inShort)).toEqual(['typing start 昼食']);
});

it('A newer typing event replaces an undelivered one of the same member in the same topic', async () => {
  const { startTyping, stopTyping, queueOf } = await setup();
  const sato = await queueOf('sato');
  await startTyping('昼食');
  await startTyping('夕食');
  await startTyping('朝食');
  await stopTyping('昼食');
  expect((await sato.take()).map(inShort)).toEqual(['typing start 夕食', 'typing start 朝食', 'typing stop 昼食']);
  await startTyping('夕食');
  expect((await sato.take()).map(inShort)).toEqual(['typing start 夕食']);
});

it('A poll delivers an ephemeral event after the logged events, with the newest event id that it examined', async () => {
  const { startTyping, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  const before = sato.cursor;
  await startTyping('昼食');
  await send('for 佐藤');
  await send('not for 佐藤', eg.numbered);
  const received = await sato.peek();
  expect(received.map(({ id, type }) => [id, type])).toEqual([
    [before + 1, 'message'],
    [before + 2, 'typing'],
  ]);
  sato.cursor = before + 2;
  expect(await sato.take()).toEqual([]);
  await send('二');
  expect((await sato.take()).map(inShort)).toEqual(['message 二']);
});

it('If nothing else has happened, an ephemeral event has the id of the queue’s cursor', async () => {
  const { startTyping, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  const waiting = sato.wait();
  await settled();
  const { cursor } = sato;
  await startTyping('昼食');
  expect(await waiting).toMatchObject([{ type: 'typing', id: cursor }]);
  await send('一');
  expect((await sato.wait()).map(({ id }) => id)).toEqual([cursor + 1]);
});

it('If a poll cannot examine all logged events, the ephemeral event in its answer has the id that a heartbeat would have', async () => {
  stopTaskTime();
  const { server, startTyping, send, queueOf } = await setup();
  const sato = await queueOf('sato');
  await logsEvents(server, 6000, eg.numbered);
  await send('for 佐藤');
  await startTyping('昼食');
  expect((await sato.take()).map(({ id, type }) => [id, type])).toEqual([
    [4000, 'heartbeat'],
    [4000, 'typing'],
  ]);
  expect((await sato.take()).map(inShort)).toEqual(['message for 佐藤']);
});

it('The server never writes an ephemeral event to the database', async () => {
  const { server, startTyping, startTypingTo, queueOf } = await setup();
  const { database, log } = fileOf(server);
  const before = log.bounds(database.reader);
  const sato = await queueOf('sato');
  await startTyping('昼食');
  await startTypingTo('sato');
  expect(log.bounds(database.reader)).toEqual(before);
  await server.restart();
  expect(await sato.take()).toEqual([]);
});

it('[R6.1] A member outside a stream receives no typing events of the stream', async () => {
  const { startTyping, queueOf } = await setup();
  const [ito, suzuki] = [await queueOf('ito'), await queueOf('suzuki')];
  const waiting = [ito.wait(), suzuki.wait()];
  await settled();
  await startTyping('給与', eg.personnel);
  for (const poll of waiting) expect(await waits(poll)).toBe(true);
  expect(await ito.take()).toEqual([]);
});

it.each([eg.general, open])(
  '[R6.1] A member who has left the stream %s receives none of its typing events, not even earlier ones',
  async (stream) => {
    const { server, startTyping, queueOf } = await setup(withPublicStream);
    const [left, control] = [await queueOf('sato', { ...withStreams, event_types: ['typing'] }), await queueOf('tanaka')];
    await startTyping('昼食', stream);
    await leaves(server, 'sato', stream);
    expect(await left.take()).toEqual([]);
    await startTyping('夕食', stream);
    expect(await left.take()).toEqual([]);
    expect((await control.take()).map(inShort)).toContain('typing start 夕食');
  },
);

it('[R6.1] A member who joins a stream does not receive a typing event from before they joined', async () => {
  const { server, startTyping, queueOf } = await setup();
  const ito = await queueOf('ito', { ...withStreams, event_types: ['typing'] });
  await startTyping('昼食');
  await joins(server, 'ito', eg.general);
  expect(await ito.take()).toEqual([]);
  await startTyping('夕食');
  expect((await ito.take()).map(inShort)).toEqual(['typing start 夕食']);
});

it('[R6.1] A member who has not subscribed to a public stream receives no typing events of the stream', async () => {
  const { startTyping, queueOf } = await setup(withPublicStream);
  const suzuki = await queueOf('suzuki', { ...withStreams, all_public_streams: true });
  const sato = await queueOf('sato');
  await startTyping('昼食', open);
  expect(await suzuki.take()).toEqual([]);
  expect((await sato.take()).map(inShort)).toEqual(['typing start 昼食']);
});

it('[R6.1] Only the participants of a direct conversation receive its typing events', async () => {
  const { startTypingTo, queueOf } = await setup();
  const [tanaka, sato] = [await queueOf('tanaka', {}), await queueOf('sato', {})];
  const [suzuki, takahashi] = [await queueOf('suzuki', {}), await queueOf('takahashi', {})];
  const waiting = takahashi.wait();
  await settled();
  await startTypingTo('sato', 'suzuki');
  for (const queue of [tanaka, sato, suzuki]) {
    expect((await queue.take()).map(inShort)).toEqual(['typing start tanaka@example.com']);
  }
  expect(await waits(waiting)).toBe(true);
});

it('[R6.1] A queue that did not register for typing events receives none', async () => {
  const { startTyping, startTypingTo, queueOf } = await setup();
  const sato = await queueOf('sato', { ...withStreams, event_types: ['message'] });
  const waiting = sato.wait();
  await settled();
  await startTyping('昼食');
  await startTypingTo('sato');
  expect(await waits(waiting)).toBe(true);
  expect(await sato.take()).toEqual([]);
});

it('[R6.1] A queue without the capability stream_typing_notifications receives typing events of direct conversations only', async () => {
  const { startTyping, startTypingTo, queueOf } = await setup();
  const sato = await queueOf('sato', {});
  await startTyping('昼食');
  await startTypingTo('sato');
  expect((await sato.take()).map(inShort)).toEqual(['typing start tanaka@example.com']);
});

it('If a member sends 10,000 typing events about one topic, a queue receives one of them', async () => {
  const { startTyping, queueOf } = await setup();
  const sato = await queueOf('sato');
  await Promise.all(Array.from({ length: 10_000 }, () => startTyping('昼食')));
  expect((await sato.take()).map(inShort)).toEqual(['typing start 昼食']);
});

it('Of 10,000 typing events about different topics, a queue receives the newest 1,000, and a waiting poll the first at once', async () => {
  const { startTyping, queueOf } = await setup();
  const [sato, suzuki] = [await queueOf('sato'), await queueOf('suzuki')];
  const waiting = suzuki.wait();
  await settled();
  const topics = Array.from({ length: 10_000 }, (_, index) => `${index}`);
  await Promise.all(topics.map((topic) => startTyping(topic)));
  const newest = topics.slice(-1000).map((topic) => `typing start ${topic}`);
  expect((await waiting).map(inShort)).toEqual(['typing start 0']);
  expect((await sato.take()).map(inShort)).toEqual(newest);
  expect((await suzuki.take()).map(inShort)).toEqual(newest);
  expect(await sato.take()).toEqual([]);
});

it('After fifteen seconds, the server frees the memory of ephemeral events and of the list of queues that received them', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const ephemeral = new EphemeralEvents(server.clock);
  const member = eg.memberOf(server, 'sato', api.roles.administrator);
  const take = (id: string) => ephemeral.take(database.reader, { ...queueWithoutMember, id, member }, 7);
  const before = usedMemory();
  for (let second = 0; second < 300; second += 1) {
    ephemeral.publish({ type: 'typing', key: `${second}`, userIds: new Set(), receives: () => true, texts: () => [] });
    for (let queue = 0; queue < 1000; queue += 1) take(`${second} ${queue}`);
    await server.clock.jump(1);
  }
  // Only the queues of the last fifteen seconds may remain of 300,000.
  expect(usedMemory() - before).toBeLessThan(8_000_000);
});

const queueWithoutMember = {
  options: {
    apply_markdown: false,
    narrow: [],
    all_public_streams: false,
    bulk_message_deletion: true,
    include_deactivated_groups: false,
    linkifier_url_template: false,
    stream_typing_notifications: true,
    notification_settings_null: false,
    simplified_presence_events: false,
    slim_presence: false,
  },
  began: 0,
  lifespan: 600,
};

it('GET /events with dont_block, which does not wait, also returns ephemeral events', async () => {
  const { server, startTyping } = await setup();
  const sato = eg.signIn(server, 'sato');
  const { id: queue_id, cursor } = await queueOf(sato, withStreams);
  await startTyping('昼食');
  const { events } = await sato.ok(api.getEvents, { queue_id, last_event_id: cursor, dont_block: true });
  expect(events).toEqual([
    {
      id: cursor,
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: { user_id: server.user('tanaka'), email: 'tanaka@example.com' },
      stream_id: server.stream(eg.general),
      topic: '昼食',
    },
  ]);
});
