import { deleteQueue, getEvents, registerQueue, roles, sendMessage, updateUser } from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { inShort, queueOf, waits } from '../testing/queue.ts';

const day = 24 * 60 * 60;

const changeEpoch = queries.run((query, epoch: Value<string>) => query.updateTable('realm').set({ epoch }));

async function setup() {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = eg.signIn(server, 'sato');
  return { server, tanaka, sato, queue: await queueOf(sato) };
}

const gone = (id: string) => ({
  status: 400,
  code: 'BAD_EVENT_QUEUE_ID',
  msg: `Bad event queue ID: ${id}`,
  queue_id: id,
});

it('[R4.4] After a restart of the server, a queue continues without lost or repeated events', async () => {
  const { server, tanaka, queue } = await setup();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  expect((await queue.take()).map(inShort)).toEqual(['message 一']);
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  await server.restart();
  await tanaka.ok(sendMessage, eg.streamMessage('三'));
  expect((await queue.take()).map(inShort)).toEqual(['message 二', 'message 三']);

  const waiting = queue.wait();
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('四'));
  expect((await waiting).map(inShort)).toEqual(['message 四']);
});

it('After a restart of the server, a queue keeps its event types and its option apply_markdown', async () => {
  const { server, tanaka, sato } = await setup();
  const queue = await queueOf(sato, { event_types: ['update_message_flags', 'message'], apply_markdown: true });
  await server.restart();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  expect((await queue.take()).map(inShort)).toEqual(['message <p>一</p>']);
});

it('A queue does not expire while the server is down, even for three days', async () => {
  const { server, queue } = await setup();
  await server.clock.advance(30);
  await server.close();
  await server.clock.jump(3 * day);
  await server.restart();
  await server.clock.advance(60);
  expect(await queue.take()).toEqual([]);
});

it('The refused polls of another member do not keep a queue alive', async () => {
  const { server, tanaka, queue } = await setup();
  for (let minute = 0; minute < 12; minute += 1) {
    await server.clock.advance(60);
    const query = { queue_id: queue.id, last_event_id: String(queue.cursor), dont_block: 'true' };
    expect(eg.refusal(await tanaka.raw({ path: '/events', query }))).toMatchObject(gone(queue.id));
  }
  expect(await queue.refused()).toMatchObject(gone(queue.id));
});

it('GET /events refuses a last_event_id after the newest logged event', async () => {
  const { queue } = await setup();
  queue.cursor += 1;
  expect(await queue.refused()).toMatchObject(gone(queue.id));
});

it('GET /events refuses a last_event_id before the oldest stored event', async () => {
  const { server, tanaka, sato } = await setup();
  const queue = await queueOf(sato, { queue_lifespan_secs: 7 * day });
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  const start = queue.cursor;
  await server.clock.jump(4 * day);
  expect(await queue.take()).toHaveLength(2);
  queue.cursor = start;
  await server.clock.jump(4 * day);
  expect(await queue.refused()).toMatchObject(gone(queue.id));
  queue.cursor = start + 1;
  expect(await queue.refused()).toMatchObject(gone(queue.id));
  queue.cursor = start + 2;
  await tanaka.ok(sendMessage, eg.streamMessage('三'));
  expect((await queue.take()).map(inShort)).toEqual(['message 三']);
});

it('The server stores events for seven days and then deletes them', async () => {
  const { server, tanaka, sato } = await setup();
  const { cursor } = await queueOf(sato);
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  const { database, log } = fileOf(server);
  await server.clock.jump(7 * day);
  expect(log.after(database.reader, cursor, 10)).toHaveLength(1);
  await server.clock.jump(60);
  expect(log.after(database.reader, 0, 10)).toEqual([]);
});

it('The server never uses an event id again, even after all events were deleted', async () => {
  const { server, tanaka, sato, queue } = await setup();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await server.clock.jump(8 * day);
  await server.restart();
  const later = await queueOf(sato);
  expect(later.cursor).toBe(queue.cursor + 1);
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  expect((await later.take()).map((event) => event.id)).toEqual([queue.cursor + 2]);
});

it('When a member registers more than 100 queues, the server deletes the longest idle ones and the newest one works', async () => {
  const { server, sato, queue } = await setup();
  await server.clock.jump(1);
  const register = () => sato.ok(registerQueue, { event_types: [] });
  const registered = await Promise.all(Array.from({ length: 130 }, register));
  const answers = await Promise.all(
    registered.map(({ queue_id, last_event_id }) =>
      sato.raw({ path: '/events', query: { queue_id, last_event_id: String(last_event_id), dont_block: 'true' } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  const query = { queue_id: queue.id, last_event_id: String(queue.cursor), dont_block: 'true' };
  expect(eg.refusal(await sato.raw({ path: '/events', query }))).toMatchObject(gone(queue.id));
  for (let more = 0; more < 400; more += 1) {
    const newest = await sato.ok(registerQueue, { event_types: [] });
    expect(await sato.ok(getEvents, { ...newest, dont_block: true })).toMatchObject({ events: [] });
  }
});

it('[R6.3] POST /register does not return the rights of a former role if the role changes in the same turn of the event loop', async () => {
  const { server, sato } = await setup();
  const tanaka = eg.signIn(server, 'tanaka');
  const [registering, changing] = [
    sato.raw({ method: 'POST', path: '/register', form: {} }),
    tanaka.ok(updateUser, { user_id: server.user('sato'), role: roles.guest }),
  ];
  await changing;
  const reply = await registering;
  if (reply.status === 200) expect(JSON.parse(reply.text)).toMatchObject({ is_guest: true });
  else expect(eg.refusal(reply)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});

it('A waiting poll is refused when its queue is deleted because its member registered 100 newer ones', async () => {
  const { server, sato, queue } = await setup();
  const query = { queue_id: queue.id, last_event_id: String(queue.cursor) };
  const waiting = sato.raw({ path: '/events', query });
  await server.clock.jump(1);
  for (let more = 0; more < 100; more += 1) await sato.ok(registerQueue, { event_types: [] });
  expect(eg.refusal(await waiting)).toMatchObject(gone(queue.id));
});

it('GET /events refuses a last_event_id that was never assigned', async () => {
  const { sato, queue } = await setup();
  const query = { queue_id: queue.id, last_event_id: '9007199254740991', dont_block: 'true' };
  expect(eg.refusal(await sato.raw({ path: '/events', query }))).toMatchObject(gone(queue.id));
});

const early = [-1, 0, -9007199254740991];
it.each(early)(
  'GET /events returns no events from before the registration of the queue, even if last_event_id is %d',
  async (last_event_id) => {
    const { tanaka, sato } = await setup();
    await tanaka.ok(sendMessage, eg.streamMessage('前'));
    const queue = await queueOf(sato);
    await tanaka.ok(sendMessage, eg.streamMessage('後'));
    const { events } = await sato.ok(getEvents, { queue_id: queue.id, last_event_id, dont_block: true });
    expect(events).toMatchObject([{ type: 'message', message: { content: '後' } }]);
  },
);

it('[R6.1] A member who uses the queue of another member gets the same error as for a missing queue', async () => {
  const { tanaka, sato, queue } = await setup();
  const asTanaka = { queue_id: queue.id, last_event_id: queue.cursor, dont_block: true };
  expect(await tanaka.refused(getEvents, asTanaka)).toMatchObject(gone(queue.id));
  expect(await tanaka.refused(deleteQueue, { queue_id: queue.id })).toMatchObject(gone(queue.id));
  expect(await sato.refused(getEvents, { ...asTanaka, queue_id: 'none' })).toMatchObject(gone('none'));
  expect(await queue.take()).toEqual([]);
});

it('GET /events refuses a queue after the database was restored from a copy', async () => {
  const { server, queue } = await setup();
  await server.close();
  const { database } = fileOf(server);
  await database.write((tx) => changeEpoch(tx, 'restored'));
  database.close();
  await server.restart();
  expect(await queue.refused()).toMatchObject(gone(queue.id));
  expect(await (await queueOf(eg.signIn(server, 'sato'))).take()).toEqual([]);
});

it('[R7.6] DELETE /events ends a queue and answers its waiting poll', async () => {
  const { sato, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await sato.ok(deleteQueue, { queue_id: queue.id });
  expect(await waiting).toEqual([]);
  expect(await queue.refused()).toMatchObject(gone(queue.id));
  expect(await sato.refused(deleteQueue, { queue_id: queue.id })).toMatchObject(gone(queue.id));
});

it('The server deletes a queue after ten minutes without a poll', async () => {
  const { server, sato, queue } = await setup();
  const other = await queueOf(sato);
  await server.clock.jump(590);
  expect(await queue.take()).toEqual([]);
  await server.clock.jump(60);
  expect(await queue.take()).toEqual([]);
  expect(await other.refused()).toMatchObject(gone(other.id));
});

it('The server keeps a queue without polls for the lifespan that its client requested', async () => {
  const { server, sato, queue } = await setup();
  const patient = await queueOf(sato, { queue_lifespan_secs: 7200 });
  const usual = await queueOf(sato, { queue_lifespan_secs: 0 });
  await server.clock.jump(7140);
  expect(await queue.refused()).toMatchObject(gone(queue.id));
  expect(await usual.refused()).toMatchObject(gone(usual.id));
  expect(await patient.take()).toEqual([]);
});

it('Every poll starts the lifespan of its queue again', async () => {
  const { server, queue } = await setup();
  for (let times = 0; times < 5; times += 1) {
    await server.clock.jump(500);
    expect(await queue.take()).toEqual([]);
  }
});

it('The server deletes a queue one lifespan after its last poll, even if the server restarted in between', async () => {
  const { server, queue } = await setup();
  await server.clock.jump(500);
  await queue.take();
  await server.restart();
  await server.clock.jump(660);
  expect(await queue.refused()).toMatchObject(gone(queue.id));
});

it('The server never deletes a queue while a poll waits on it, even if its lifespan is one second', async () => {
  const { server, sato, tanaka } = await setup();
  const queue = await queueOf(sato, { queue_lifespan_secs: 1 });
  for (let times = 0; times < 4; times += 1) {
    const waiting = queue.wait();
    await server.clock.advance(55);
    expect((await waiting).map(inShort)).toEqual(['heartbeat']);
  }
  const waiting = queue.wait();
  await server.clock.advance(40);
  expect(await waits(waiting)).toBe(true);
  await tanaka.ok(sendMessage, eg.streamMessage('まだ'));
  expect((await waiting).map(inShort)).toEqual(['message まだ']);
});

it('The lifespan of a queue counts from the end of its last waiting poll, not from the start of that poll', async () => {
  const { server, sato } = await setup();
  const queue = await queueOf(sato, { queue_lifespan_secs: 70 });
  await server.clock.advance(16);
  const waiting = queue.wait();
  await server.clock.advance(55);
  await waiting;
  // The sweeps run after 60 seconds, during the poll, and after 120 seconds, ten seconds before the end of the
  // lifespan.
  await server.clock.advance(51);
  expect(await queue.take()).toEqual([]);
});
