import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { getEvents, registerQueue, roles, sendMessage, updateMessageFlags, updateUser } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { inShort, queueOf, waits } from '../testing/queue.ts';

/** tanaka sends messages, and sato has a queue. */
async function setup() {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = eg.signIn(server, 'sato');
  return { server, tanaka, sato, queue: await queueOf(sato) };
}

/** The log holds 150 events that sato does not receive. */
async function setupFarBehind() {
  const context = await setup();
  await Promise.all(
    Array.from({ length: 150 }, () => context.tanaka.ok(sendMessage, eg.streamMessage('not for 佐藤', eg.numbered))),
  );
  return context;
}

it('[R4.4] A waiting poll is answered by a message without a timer', async () => {
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  expect(await waits(waiting)).toBe(true);
  await tanaka.ok(sendMessage, eg.streamMessage('今です'));
  expect((await waiting).map(inShort)).toEqual(['message 今です']);
});

it('A waiting poll is answered with all events that one turn has written', async () => {
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await Promise.all(['一', '二', '三'].map((content) => tanaka.ok(sendMessage, eg.streamMessage(content))));
  expect((await waiting).map(inShort)).toEqual(['message 一', 'message 二', 'message 三']);
});

it('A waiting poll is answered even if the message was sent just before it', async () => {
  const { tanaka, queue } = await setup();
  const [, events] = await Promise.all([tanaka.ok(sendMessage, eg.streamMessage('一')), queue.wait()]);
  expect(events.map(inShort)).toEqual(['message 一']);
});

it('A waiting poll of every recipient is answered, and other polls go on waiting', async () => {
  const { server, tanaka, queue } = await setup();
  const takahashi = await queueOf(eg.signIn(server, 'takahashi'));
  const ito = await queueOf(eg.signIn(server, 'ito'));
  const [recipient, other, outsider] = [queue.wait(), takahashi.wait(), ito.wait()];
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('皆さん'));
  expect((await recipient).map(inShort)).toEqual(['message 皆さん']);
  expect((await other).map(inShort)).toEqual(['message 皆さん']);
  expect(await waits(outsider)).toBe(true);
});

it('A waiting poll fails if its event cannot be read, while other polls are still answered', async () => {
  const { server, tanaka, sato } = await setup();
  const { queue_id, last_event_id } = await sato.ok(registerQueue, { event_types: ['subscription'] });
  const query = { queue_id, last_event_id: String(last_event_id) };
  const failing = sato.raw({ method: 'GET', path: '/events', query });
  const others = await queueOf(tanaka);
  const waiting = others.wait();
  await settled();
  const { database, log } = fileOf(server);
  const reachId = server.user('sato');
  const unreadable = { type: 'subscription', reach: 'self', reachId, payload: { op: '?' } } as const;
  await database.write((tx) => void log.append(tx, unreadable));
  await tanaka.ok(sendMessage, eg.streamMessage('それでも'));
  expect((await waiting).map(inShort)).toEqual(['message それでも']);
  expect((await failing).status).toBe(500);
  expect(server.reports()).toHaveLength(1);
});

it('A waiting poll is not answered by a send that was refused or could not be written', async () => {
  const server = await eg.server({ maxBytes: 4096 });
  const tanaka = eg.signIn(server, 'tanaka');
  const large = eg.streamMessage('縁'.repeat(10_000));
  for (let page = 0; page < 20; page += 1) await tanaka.raw({ method: 'POST', path: '/messages', form: large });
  const queue = await queueOf(eg.signIn(server, 'sato'));
  const waiting = queue.wait();
  await settled();
  expect(await tanaka.refused(sendMessage, large)).toMatchObject({ status: 503 });
  await tanaka.refused(sendMessage, eg.streamMessage(''));
  expect(server.reports()).not.toEqual([]);
  expect(await waits(waiting)).toBe(true);
  // The smaller writes on close succeed.
  await server.close();
  expect(server.reports()).toMatchObject([{ event: 'storage_writable_again' }]);
});

it('A waiting poll is answered by a heartbeat after 45 to 55 seconds', async () => {
  const { server, sato } = await setup();
  const queues = await Promise.all(Array.from({ length: 30 }, () => queueOf(sato, { event_types: ['message'] })));
  const answered: number[] = [];
  const start = server.clock.now();
  const all = queues.map(async (queue) => {
    const { cursor } = queue;
    expect(await queue.wait()).toEqual([{ type: 'heartbeat', id: cursor }]);
    answered.push((server.clock.now() - start) / 1000);
  });
  await settled();
  await server.clock.advance(44);
  expect(answered).toEqual([]);
  await server.clock.advance(11);
  await Promise.all(all);
  expect(Math.min(...answered)).toBeGreaterThanOrEqual(45);
  expect(Math.max(...answered)).toBeLessThanOrEqual(55);
  // Polls that began together are answered at different times.
  expect(new Set(answered).size).toBeGreaterThan(2);
});

it('A waiting poll receives a heartbeat that moves its cursor past the events of other members, and misses no event', async () => {
  const { server, tanaka, queue } = await setup();
  const before = queue.cursor;
  const waiting = queue.wait();
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('not for 佐藤', eg.numbered));
  await tanaka.ok(sendMessage, eg.streamMessage('neither', eg.numbered));
  await server.clock.advance(55);
  expect(await waiting).toEqual([{ type: 'heartbeat', id: before + 2 }]);
  await tanaka.ok(sendMessage, eg.streamMessage('for 佐藤'));
  expect((await queue.wait()).map(inShort)).toEqual(['message for 佐藤']);
});

it('A waiting poll is answered without events when another poll begins on its queue, which receives the next message', async () => {
  const { tanaka, queue } = await setup();
  const first = queue.wait();
  await settled();
  const second = queue.wait();
  expect(await first).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('二度目に'));
  expect((await second).map(inShort)).toEqual(['message 二度目に']);
});

it('A waiting poll is answered without events even if the newer poll is answered at once', async () => {
  const { queue } = await setup();
  const first = queue.wait();
  await settled();
  expect(await queue.take()).toEqual([]);
  expect(await waits(first)).toBe(false);
  expect(await first).toEqual([]);
});

it('A waiting poll receives the next event alone if two begin on one queue at the same time', async () => {
  const { tanaka, queue } = await setup();
  const both = [queue.wait(), queue.wait()];
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('一人に'));
  expect((await Promise.all(both)).flat().map(inShort)).toEqual(['message 一人に']);
});

it('A waiting poll that is aborted leaves its queue usable, and no event is lost', async () => {
  const { tanaka, queue } = await setup();
  const controller = new AbortController();
  const waiting = queue.wait(controller.signal);
  await settled();
  controller.abort();
  expect(await waiting).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('後で'));
  expect((await queue.wait()).map(inShort)).toEqual(['message 後で']);
});

it('A waiting poll whose signal is aborted before it begins is answered at once', async () => {
  const { queue } = await setup();
  expect(await queue.wait(AbortSignal.abort())).toEqual([]);
});

it('A waiting poll removes its listener from the signal when it is answered', async () => {
  const { tanaka, queue } = await setup();
  const { signal } = new AbortController();
  const waiting = queue.wait(signal);
  await settled();
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await waiting;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('A waiting poll is answered without events when the server is closed', async () => {
  const { server, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await server.close();
  expect(await waiting).toEqual([]);
});

it.each([0, 1, 2, 3, 4])('A poll that begins %i microtasks before the server is closed is answered', async (moments) => {
  const { server, sato, queue } = await setup();
  const query = { queue_id: queue.id, last_event_id: String(queue.cursor) };
  const polling = sato.raw({ path: '/events', query });
  for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
  await server.close();
  expect(await waits(polling)).toBe(false);
});

it('A poll that does not wait is answered at once with the available events', async () => {
  const { tanaka, queue } = await setup();
  expect(await queue.take()).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  expect((await queue.take()).map(inShort)).toEqual(['message 一']);
  expect(await queue.take()).toEqual([]);
});

it('A poll that does not wait receives unacknowledged events again', async () => {
  const { tanaka, queue } = await setup();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  const first = await queue.peek();
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  const second = await queue.peek();
  expect(second.slice(0, 1)).toEqual(first);
  expect(second.map(inShort)).toEqual(['message 一', 'message 二']);
  queue.cursor = first[0]?.id ?? 0;
  expect((await queue.peek()).map(inShort)).toEqual(['message 二']);
});

it('A poll that does not wait examines a bounded part of the log and advances by a heartbeat', async () => {
  const { tanaka, queue } = await setup();
  const before = queue.cursor;
  await Promise.all(Array.from({ length: 1005 }, () => tanaka.ok(sendMessage, eg.streamMessage('not for 佐藤', eg.numbered))));
  await tanaka.ok(sendMessage, eg.streamMessage('for 佐藤'));
  expect(await queue.take()).toEqual([{ type: 'heartbeat', id: before + 1000 }]);
  expect((await queue.take()).map(inShort)).toEqual(['message for 佐藤']);
});

it('A poll that does not wait has the same limit as a waiting poll, and later messages are still delivered', async () => {
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await Promise.all(Array.from({ length: 1005 }, () => tanaka.ok(sendMessage, eg.streamMessage('not for 佐藤', eg.numbered))));
  await tanaka.ok(sendMessage, eg.streamMessage('for 佐藤'));
  const received = [...(await waiting), ...(await queue.take())];
  expect(received.map(inShort).filter((event) => event !== 'heartbeat')).toEqual(['message for 佐藤']);
});

it('A poll that does not wait returns a long backlog in parts, in order and without repetition', async () => {
  const { tanaka, queue } = await setup();
  const contents = Array.from({ length: 2300 }, (_, index) => `${index}`);
  await Promise.all(contents.map((content) => tanaka.ok(sendMessage, eg.streamMessage(content))));
  const received: string[] = [];
  for (let events = await queue.take(); events.length > 0; events = await queue.take()) {
    received.push(...events.map(inShort));
  }
  expect(received).toEqual(contents.map((content) => `message ${content}`));
});

it('A poll far behind the end of the log delivers once an event that is sent before, during or after its turn', async () => {
  for (const turns of [0, 1, 2, 3]) {
    const { tanaka, queue } = await setupFarBehind();
    const waiting = queue.wait();
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await tanaka.ok(sendMessage, eg.streamMessage('一'));
    expect((await waiting).map(inShort)).toEqual(['message 一']);
    expect(await queue.take()).toEqual([]);
  }
});

it('[R6.1] A poll far behind the end of the log is refused if its queue ends before, during or after its turn', async () => {
  for (const [before, after] of [
    [200, 0],
    [0, 0],
    [0, 1],
    [0, 2],
  ] as const) {
    const { server, tanaka, sato, queue } = await setupFarBehind();
    const query = { queue_id: queue.id, last_event_id: String(queue.cursor) };
    const poll = () => sato.raw({ path: '/events', query });
    const change = () => tanaka.ok(updateUser, { user_id: server.user('sato'), role: roles.guest });
    // Microtasks before the poll, or turns after it.
    const changed = before > 0 ? change() : undefined;
    for (let moment = 0; moment < before; moment += 1) await Promise.resolve();
    const polling = poll();
    for (let turn = 0; turn < after; turn += 1) await setImmediate();
    await (changed ?? change());
    expect(await waits(polling)).toBe(false);
    expect(eg.refusal(await polling)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  }
});

it('A poll far behind the end of the log can be aborted before its turn, and its queue loses no event', async () => {
  const { tanaka, queue } = await setupFarBehind();
  const controller = new AbortController();
  const waiting = queue.wait(controller.signal);
  controller.abort();
  expect(await waiting).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('後で'));
  expect((await queue.wait()).map(inShort)).toEqual(['message 後で']);
});

it('A poll far behind the end of the log receives the next event alone if two begin on one queue', async () => {
  const { tanaka, queue } = await setupFarBehind();
  const both = [queue.wait(), queue.wait()];
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('一人に'));
  expect((await Promise.all(both)).flat().map(inShort)).toEqual(['message 一人に']);
});

it('[R7.7] GET /events returns events with ascending ids and the id of their queue', async () => {
  const { tanaka, sato, queue } = await setup();
  const { id } = await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await sato.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
  const answer = await sato.ok(getEvents, { queue_id: queue.id, last_event_id: queue.cursor });
  expect(answer.queue_id).toBe(queue.id);
  expect(answer.events.map((event) => event.id)).toEqual([queue.cursor + 1, queue.cursor + 2]);
});

it.each([
  [{ last_event_id: '0' }, "Missing 'queue_id' argument"],
  [{ queue_id: 'q' }, "Missing 'last_event_id' argument"],
])('GET /events requires its parameters: %j', async (query, msg) => {
  const { sato } = await setup();
  expect(eg.refusal(await sato.raw({ path: '/events', query }))).toMatchObject({
    status: 400,
    code: 'REQUEST_VARIABLE_MISSING',
    msg,
  });
});
