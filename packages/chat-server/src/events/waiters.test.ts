import { roles, sendMessage, updateUser } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { ChatError } from '../errors.ts';
import { type Waiter, noBody } from '../http/exchange.ts';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { type HeldQueue, queueOf } from '../testing/queue.ts';
import { stopTaskTime } from '../testing/taskTime.ts';

/** Both members wait. `calls` has the results of their calls, and `noted` what their waiters got. @param missed messages */
async function setup(missed = 0) {
  const server = await eg.server();
  const noted: string[] = [];
  const bodies: Uint8Array[] = [];
  const poll = (name: string, { id, cursor }: HeldQueue) => {
    const waiter: Waiter = {
      deliver: ({ own, shared }) => {
        expect(own + Buffer.from(shared).toString()).toContain('"content":"縁側で"');
        noted.push(`${name} has the message`);
        bodies.push(shared);
      },
      end: () => noted.push(`${name} ends`),
      fail: (error) => noted.push(`${name} fails: ${error instanceof ChatError ? error.code : String(error)}`),
    };
    return server.fetch({
      method: 'GET',
      url: `/api/v1/events?queue_id=${id}&last_event_id=${cursor}`,
      headers: { authorization: eg.basic(eg.emailOf(name), server.key(name)) },
      body: noBody,
      address: undefined,
      signal: new AbortController().signal,
      waiter,
    });
  };
  const names = ['sato', 'suzuki'];
  const queues = await Promise.all(names.map((name) => queueOf(eg.signIn(server, name), { event_types: ['message', 'realm'] })));
  const tanaka = eg.signIn(server, 'tanaka');
  for (let sent = 0; sent < missed; sent += 1) await tanaka.ok(sendMessage, eg.streamMessage('縁側で'));
  const calls = await Promise.all(queues.map((queue, index) => poll(names[index] ?? '', queue)));
  return { server, tanaka, calls, noted, bodies };
}

it('Calls with a waiter resolve as soon as they wait, and all waiters have their message before the first one ends', async () => {
  const { tanaka, calls, noted } = await setup();
  expect(calls.map(({ waits }) => waits)).toEqual([true, true]);
  expect(noted).toEqual([]);
  await tanaka.ok(sendMessage, eg.streamMessage('縁側で'));
  await settled();
  expect(noted).toEqual(['sato has the message', 'suzuki has the message', 'sato ends', 'suzuki ends']);
});

it('A member of two streams gets one answer, even if their new events are too many for it', async () => {
  const { server, tanaka, noted } = await setup();
  const { database, log } = fileOf(server);
  const streams = [eg.general, eg.numbered].map((name) => server.stream(name));
  await database.write((tx) => {
    for (let event = 0; event < 60; event += 1) {
      const payload = { content: '縁側で', padding: ' '.repeat(9000) };
      for (const reachId of streams) log.append(tx, { type: 'realm', reach: 'members', reachId, payload });
    }
  });
  // Only a commit of the server itself wakes the polls.
  await tanaka.ok(sendMessage, eg.streamMessage('縁側で'));
  await settled();
  expect(noted).toEqual(['sato has the message', 'suzuki has the message', 'sato ends', 'suzuki ends']);
});

it.each([1, 30])(
  'Waiters of polls that begin after %i messages have them before the first one ends, in the same bytes',
  async (missed) => {
    stopTaskTime();
    const { calls, noted, bodies } = await setup(missed);
    expect(calls.map(({ waits }) => waits)).toEqual([true, true]);
    await settled();
    expect(noted).toEqual(['sato has the message', 'suzuki has the message', 'sato ends', 'suzuki ends']);
    expect(bodies[1]).toBe(bodies[0]);
  },
);

it('A waiter whose queue ends gets the refusal, and no message afterwards', async () => {
  const { server, tanaka, noted } = await setup();
  await tanaka.ok(updateUser, { user_id: server.user('sato'), role: roles.guest });
  await tanaka.ok(sendMessage, eg.streamMessage('縁側で'));
  await settled();
  expect(noted).toEqual(['sato fails: BAD_EVENT_QUEUE_ID', 'suzuki has the message', 'suzuki ends']);
});
