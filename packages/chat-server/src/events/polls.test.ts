import { setImmediate } from 'node:timers/promises';
import {
  addressDirect,
  getEvents,
  registerQueue,
  roles,
  sendMessage,
  setTypingStatus,
  updateMessageFlags,
  updateUser,
} from '@engawa/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, logsEvents } from '../testing/membership.ts';
import { inShort, queueOf, waits } from '../testing/queue.ts';
import { stopTaskTime } from '../testing/taskTime.ts';

/** tanaka sends messages, and sato has a queue. */
async function setup() {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sato = eg.signIn(server, 'sato');
  return { server, tanaka, sato, queue: await queueOf(sato) };
}

/** Polls that are examined together, and polls that are examined alone. */
const distances = [150, 250];

/** The log holds events that sato does not receive. */
async function setupBehind(distance: number) {
  const context = await setup();
  await Promise.all(
    Array.from({ length: distance }, () => context.tanaka.ok(sendMessage, eg.streamMessage('not for 佐藤', eg.numbered))),
  );
  return context;
}

it('[R4.4] A waiting poll is answered as soon as a message is sent, without a timer', async () => {
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  expect(await waits(waiting)).toBe(true);
  await tanaka.ok(sendMessage, eg.streamMessage('今です'));
  expect((await waiting).map(inShort)).toEqual(['message 今です']);
});

it('A waiting poll receives all messages that are sent in one turn of the event loop in one answer', async () => {
  stopTaskTime();
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await Promise.all(['一', '二', '三'].map((content) => tanaka.ok(sendMessage, eg.streamMessage(content))));
  expect((await waiting).map(inShort)).toEqual(['message 一', 'message 二', 'message 三']);
});

it('A poll that begins directly after a message was sent receives this message', async () => {
  const { tanaka, queue } = await setup();
  const [, events] = await Promise.all([tanaka.ok(sendMessage, eg.streamMessage('一')), queue.wait()]);
  expect(events.map(inShort)).toEqual(['message 一']);
});

it('A message answers the waiting polls of all its recipients, while polls of other members keep waiting', async () => {
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

it('A waiting poll fails with status 500 if its event cannot be read, while polls of other members are still answered', async () => {
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

it('A waiting poll keeps waiting when POST /messages refuses a message or cannot write it', async () => {
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

it('A waiting poll receives a heartbeat after 45 to 55 seconds without events', async () => {
  stopTaskTime();
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

it('A heartbeat moves the cursor of a queue past events of other members, and the next poll misses no event', async () => {
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

it('When a second poll begins on a queue, the first ends without events and the second receives the next message', async () => {
  const { tanaka, queue } = await setup();
  const first = queue.wait();
  await settled();
  const second = queue.wait();
  expect(await first).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('二度目に'));
  expect((await second).map(inShort)).toEqual(['message 二度目に']);
});

it('When a second poll begins on a queue and is answered at once, the first poll still ends without events', async () => {
  const { queue } = await setup();
  const first = queue.wait();
  await settled();
  expect(await queue.take()).toEqual([]);
  expect(await waits(first)).toBe(false);
  expect(await first).toEqual([]);
});

it('If two polls begin on one queue at the same time, only one of them receives the next event', async () => {
  const { tanaka, queue } = await setup();
  const both = [queue.wait(), queue.wait()];
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('一人に'));
  expect((await Promise.all(both)).flat().map(inShort)).toEqual(['message 一人に']);
});

it('After a client aborts a waiting poll, its queue still delivers the next event', async () => {
  const { tanaka, queue } = await setup();
  const controller = new AbortController();
  const waiting = queue.wait(controller.signal);
  await settled();
  controller.abort();
  expect(await waiting).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('後で'));
  expect((await queue.wait()).map(inShort)).toEqual(['message 後で']);
});

it('A poll that the client has already aborted ends at once and does not end the waiting poll of its queue', async () => {
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  await expect(queue.wait(AbortSignal.abort())).rejects.toThrow('malformed');
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  expect((await waiting).map(inShort)).toEqual(['message 一']);
});

it('A call that is aborted after its answer does not end the next poll of its queue', async () => {
  const { tanaka, queue } = await setup();
  const answered = new AbortController();
  const waiting = queue.wait(answered.signal);
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await waiting;
  const next = queue.wait();
  await settled();
  answered.abort();
  expect(await waits(next)).toBe(true);
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  expect((await next).map(inShort)).toEqual(['message 二']);
});

it('When the server closes, it answers a waiting poll without events', async () => {
  const { server, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await server.close();
  expect(await waiting).toEqual([]);
});

it.each([0, 1, 2, 3, 4])(
  'The server still answers a poll that begins %i microtasks before the server closes',
  async (moments) => {
    const { server, sato, queue } = await setup();
    const query = { queue_id: queue.id, last_event_id: String(queue.cursor) };
    const polling = sato.raw({ path: '/events', query });
    for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
    await server.close();
    expect(await waits(polling)).toBe(false);
  },
);

it('GET /events with dont_block answers at once with the available events', async () => {
  const { tanaka, queue } = await setup();
  expect(await queue.take()).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  expect((await queue.take()).map(inShort)).toEqual(['message 一']);
  expect(await queue.take()).toEqual([]);
});

it('GET /events with dont_block returns events again until the client acknowledges them', async () => {
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

it('GET /events with dont_block examines at most 4,000 logged events or a page more, and moves the cursor past them by a heartbeat', async () => {
  stopTaskTime();
  const { server, tanaka, queue } = await setup();
  await logsEvents(server, 6000, eg.numbered);
  await tanaka.ok(sendMessage, eg.streamMessage('for 佐藤'));
  expect(await queue.take()).toEqual([{ type: 'heartbeat', id: 4000 }]);
  expect((await queue.take()).map(inShort)).toEqual(['message for 佐藤']);
});

it('A waiting poll loses no message when more than 1,000 events of other members are logged before it', async () => {
  const { tanaka, queue } = await setup();
  const waiting = queue.wait();
  await settled();
  await Promise.all(Array.from({ length: 1005 }, () => tanaka.ok(sendMessage, eg.streamMessage('not for 佐藤', eg.numbered))));
  await tanaka.ok(sendMessage, eg.streamMessage('for 佐藤'));
  const received = [...(await waiting), ...(await queue.take())];
  expect(received.map(inShort).filter((event) => event !== 'heartbeat')).toEqual(['message for 佐藤']);
});

it('GET /events with dont_block returns 2,300 events in several parts, in order and without repetition', async () => {
  const { tanaka, queue } = await setup();
  const contents = Array.from({ length: 2300 }, (_, index) => `${index}`);
  await Promise.all(contents.map((content) => tanaka.ok(sendMessage, eg.streamMessage(content))));
  const received: string[] = [];
  for (let events = await queue.take(); events.length > 0; events = await queue.take()) {
    received.push(...events.map(inShort));
  }
  expect(received).toEqual(contents.map((content) => `message ${content}`));
});

it.each(distances)(
  'A poll of a queue %i events behind the log delivers an event once, even if it is sent while the poll reads the log',
  async (distance) => {
    for (const turns of [0, 1, 2, 3]) {
      const { tanaka, queue } = await setupBehind(distance);
      const waiting = queue.wait();
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await tanaka.ok(sendMessage, eg.streamMessage('一'));
      expect((await waiting).map(inShort)).toEqual(['message 一']);
      expect(await queue.take()).toEqual([]);
    }
  },
);

it.each(distances)(
  '[R6.1] A poll of a queue %i events behind the log is refused if the queue ends, even while the poll reads the log',
  async (distance) => {
    for (const [before, after] of [
      [200, 0],
      [0, 0],
      [0, 1],
      [0, 2],
    ] as const) {
      const { server, tanaka, sato, queue } = await setupBehind(distance);
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
  },
);

it.each(distances)(
  'If a client aborts a poll of a queue %i events behind the log, the queue loses no event',
  async (distance) => {
    const { tanaka, queue } = await setupBehind(distance);
    const controller = new AbortController();
    const waiting = queue.wait(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('malformed');
    await tanaka.ok(sendMessage, eg.streamMessage('後で'));
    expect((await queue.wait()).map(inShort)).toEqual(['message 後で']);
  },
);

it.each(distances)(
  'If two polls begin on a queue %i events behind the log, only one of them receives the next event',
  async (distance) => {
    const { tanaka, queue } = await setupBehind(distance);
    const both = [queue.wait(), queue.wait()];
    await settled();
    await tanaka.ok(sendMessage, eg.streamMessage('一人に'));
    expect((await Promise.all(both)).flat().map(inShort)).toEqual(['message 一人に']);
  },
);

it('Polls of more queues than one turn examines all receive the messages that they missed, in the order of sending', async () => {
  const { server, tanaka } = await setup();
  const members = ['sato', 'suzuki', 'takahashi'].map((name) => eg.signIn(server, name));
  const queues = await Promise.all(
    members.flatMap((member) => Array.from({ length: 90 }, () => queueOf(member, { event_types: ['message'] }))),
  );
  const contents = Array.from({ length: 12 }, (_, index) => `message ${index}`);
  for (const content of contents) await tanaka.ok(sendMessage, eg.streamMessage(content));
  const received = await Promise.all(queues.map((queue) => queue.wait()));
  for (const events of received) expect(events.map(inShort)).toEqual(contents.map((content) => `message ${content}`));
});

it('The polls of a member with many queues delay the poll of another member by at most one of them', async () => {
  const { server, tanaka, sato } = await setup();
  const own = await Promise.all(Array.from({ length: 20 }, () => queueOf(sato)));
  const other = await queueOf(eg.signIn(server, 'suzuki'));
  await tanaka.ok(sendMessage, eg.streamMessage('皆さん'));
  const answered: string[] = [];
  stopTaskTime();
  const polls = own.map((queue) => queue.wait().then(() => answered.push('sato')));
  await Promise.all([...polls, other.wait().then(() => answered.push('suzuki'))]);
  expect(answered.indexOf('suzuki')).toBeLessThanOrEqual(1);
});

it('[R7.7] GET /events returns events in ascending order of their ids, and the id of their queue', async () => {
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

/** With 241 queues, enough for a rest after answers to all. Timers are fake, so that the test ends the rest. */
async function setupRest() {
  const context = await setup();
  const members = ['tanaka', 'sato', 'suzuki'].map((name) => eg.signIn(context.server, name));
  const others = await Promise.all(members.flatMap((member) => Array.from({ length: 80 }, () => queueOf(member))));
  stopTaskTime();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return { ...context, others };
}

it('After a delivery to hundreds of polls the next messages wait for a moment, and are delivered together', async () => {
  const { server, tanaka, queue, others } = await setupRest();
  const polls = [queue, ...others].map((each) => each.wait());
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await Promise.all(polls);

  await tanaka.ok(setTypingStatus, { type: 'direct', op: 'start', to: addressDirect([server.user('suzuki')]) });
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  const waiting = queue.wait();
  await tanaka.ok(sendMessage, eg.streamMessage('三'));
  expect(await waits(waiting)).toBe(true);
  vi.advanceTimersByTime(100);
  expect((await waiting).map(inShort)).toEqual(['message 二', 'message 三']);
});

it('After answers to hundreds of polls that missed a message, another poll that missed it waits for a moment', async () => {
  const { tanaka, queue, others } = await setupRest();
  const [first, ...later] = others;
  const answered = first?.wait();
  await settled();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await Promise.all([answered, ...later.map((each) => each.wait())]);

  const waiting = queue.wait();
  await tanaka.ok(sendMessage, eg.streamMessage('二'));
  expect(await waits(waiting)).toBe(true);
  vi.advanceTimersByTime(100);
  expect((await waiting).map(inShort)).toEqual(['message 一', 'message 二']);
});

it('A poll that waits for the end of a rest is refused if the server has deleted events that it missed', async () => {
  const { server, tanaka, sato, queue, others } = await setupRest();
  await tanaka.ok(sendMessage, eg.streamMessage('一'));
  await Promise.all(others.map((each) => each.wait()));
  const query = { queue_id: queue.id, last_event_id: String(queue.cursor) };
  const waiting = sato.raw({ path: '/events', query });
  expect(await waits(waiting)).toBe(true);
  const { database, log } = fileOf(server);
  await database.write((tx) => log.prune(tx, Number.MAX_SAFE_INTEGER, 1));
  vi.advanceTimersByTime(100);
  expect(eg.refusal(await waiting)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});

it('A rest ends early when hundreds of messages are due to each of hundreds of polls', async () => {
  const { tanaka, queue, others } = await setupRest();
  const send = (count: number) =>
    Promise.all(Array.from({ length: count }, () => tanaka.ok(sendMessage, eg.streamMessage('皆さん'))));
  await send(1);
  await Promise.all(others.map((each) => each.wait()));

  const polls = [queue, ...others].map((each) => each.wait());
  await send(300);
  expect(await waits(Promise.race(polls))).toBe(true);
  // 415 messages for 241 polls are more than 100,000 deliveries.
  await send(200);
  for (const events of await Promise.all(polls)) expect(events.length).toBeGreaterThan(300);
});
