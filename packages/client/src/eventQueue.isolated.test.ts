import { longPollTimeoutSeconds, type ServerEvent } from '@engawa/protocol';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { fakeClock, type FakeClock } from '../test/fakeClock.ts';
import { refusal, serve, success, type Answer, type ScriptedServer } from '../test/scriptedServer.ts';
import { connect } from './connection.ts';
import { NetworkError, ServerError, type CallError } from './errors.ts';
import { callOnEachBatch, callOnEachEvent, pollDelay, retryDelay, type EventQueueOptions } from './eventQueue.ts';

const registered = (queueId = 'queue-1', lastEventId = -1): Answer =>
  success({ queue_id: queueId, last_event_id: lastEventId, zulip_version: '10.0', zulip_feature_level: 371 });
const events = (...ids: readonly number[]): Answer => success({ events: ids.map((id) => ({ id, type: 'heartbeat' })) });
const queueGone = refusal(400, 'BAD_EVENT_QUEUE_ID', 'Bad event queue ID: queue-1', { queue_id: 'queue-1' });

interface Example {
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly received: number[];
  readonly logged: string[];
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  wake(): void;
  /** The calls so far; polls with the id that they acknowledge. */
  calls(): readonly string[];
}

const running: Example[] = [];

async function eg(
  answers: readonly Answer[],
  options: EventQueueOptions = {},
  callback: (event: ServerEvent) => void = () => {},
): Promise<Example> {
  const server = await serve(...answers);
  const clock = fakeClock();
  const controller = new AbortController();
  const received: number[] = [];
  const logged: string[] = [];
  const loop = callOnEachEvent(
    connect({ realm: server.site, username: 'ai@engawa.example', apiKey: 'key', clock }),
    (event) => {
      received.push(event.id);
      callback(event);
    },
    {
      clock,
      signal: controller.signal,
      log: (message, error) => logged.push(`${message}: ${error instanceof Error ? error.message : ''}`),
      random: () => 1,
      ...options,
    },
  );
  const calls = () =>
    server.received.map(({ call, query }) =>
      call === 'GET /api/v1/events' ? `events ${query['queue_id']} ${query['last_event_id']}` : call,
    );
  const example = { server, clock, received, logged, controller, ended: loop.ended, wake: loop.wake, calls };
  running.push(example);
  return example;
}

afterEach(async () => {
  for (const { controller, ended, server } of running.splice(0)) {
    controller.abort();
    await ended;
    await server.close();
  }
});

const recovering = { pause: 'after-empty-or-failed', recover: true } as const;

it('[R4.3] callOnEachEvent registers the requested types and stores queue_id and last_event_id', async () => {
  const { server, calls } = await eg([registered('queue-1', 3)], { eventTypes: ['message'] });
  await server.arrived(2);
  expect(server.received[0]?.form).toMatchObject({ event_types: '["message"]' });
  expect(calls()).toEqual(['POST /api/v1/register', 'events queue-1 3']);
});

it('The loop awaits `ready` before each poll, and retries a `CallError` of `ready` like a failed poll', async () => {
  const { promise: isReady, resolve } = Promise.withResolvers<void>();
  const failures: string[] = [];
  let asked = 0;
  const ready = () => {
    asked += 1;
    return asked === 1 ? Promise.reject(new NetworkError('code', undefined)) : isReady;
  };
  const onFailure = ({ name }: CallError) => failures.push(name);
  const { server, clock, calls } = await eg([registered(), events(1)], { ...recovering, ready, onFailure });
  await clock.pass(retryDelay);
  await vi.waitFor(() => expect(asked).toBe(2));
  expect(calls()).toEqual(['POST /api/v1/register']);
  expect(failures).toEqual(['NetworkError']);
  resolve();
  await server.arrived(3);
  expect(calls().slice(1)).toEqual(['events queue-1 -1', 'events queue-1 1']);
});

it('[R4.3] callOnEachEvent polls so that the server answers only when there is an event', async () => {
  const { server } = await eg([registered()]);
  await server.arrived(2);
  expect(server.received[1]?.query['dont_block']).toBe('false');
});

it('[R4.3] callOnEachEvent calls the callback for each event and stores the highest event id', async () => {
  const { server, clock, received, calls } = await eg([registered(), events(0, 1, 4)]);
  await clock.pass(pollDelay);
  await server.arrived(3);
  expect(received).toEqual([0, 1, 4]);
  expect(calls().at(-1)).toBe('events queue-1 4');
});

it('[R4.3] After each answer, callOnEachEvent polls again with the id of the newest event', async () => {
  const { server, clock, received, calls } = await eg([registered(), events(0, 1, 4), events(5), events()]);
  await clock.pass(pollDelay);
  await clock.pass(pollDelay);
  await clock.pass(pollDelay);
  await server.arrived(5);
  expect(received).toEqual([0, 1, 4, 5]);
  expect(calls().slice(1)).toEqual(['events queue-1 -1', 'events queue-1 4', 'events queue-1 5', 'events queue-1 5']);
});

it('[R4.3] callOnEachEvent waits 1000 ms between two polls by default', async () => {
  const { server, clock } = await eg([registered(), events(1)]);
  expect(pollDelay).toBe(1000);
  await clock.until(pollDelay);
  expect(server.received).toHaveLength(2);
  await clock.pass(pollDelay);
  await server.arrived(3);
});

it('[R4.3, R8.1] callOnEachEvent logs a failed registration and retries after 1000 ms', async () => {
  const refused = refusal(400, 'BAD_REQUEST', 'event_types is not a list');
  const { server, clock, logged, calls } = await eg([refused, registered()]);
  expect(retryDelay).toBe(1000);
  await clock.pass(retryDelay);
  await server.arrived(3);
  expect(logged).toEqual(['registering an event queue failed: event_types is not a list']);
  expect(calls()).toEqual(['POST /api/v1/register', 'POST /api/v1/register', 'events queue-1 -1']);
});

it('[R4.3, R8.1] callOnEachEvent logs a failed poll and polls again with the same event id', async () => {
  const { server, clock, logged, received, calls } = await eg([registered('queue-1', 3), queueGone, events(4)]);
  await clock.pass(retryDelay);
  await clock.pass(pollDelay);
  await server.arrived(4);
  expect(logged).toEqual(['polling for events failed: Bad event queue ID: queue-1']);
  expect(received).toEqual([4]);
  expect(calls().slice(1)).toEqual(['events queue-1 3', 'events queue-1 3', 'events queue-1 4']);
});

it('[R4.3, R8.1] callOnEachEvent logs errors to the console by default and continues', async () => {
  const delivered = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => delivered.mockRestore());
  const refused = refusal(400, 'BAD_REQUEST', 'event_types is not a list');
  const { clock, received } = await eg([refused, registered(), queueGone, events(4)], { log: undefined });
  await clock.pass(retryDelay);
  await clock.pass(retryDelay);
  await clock.pass(pollDelay);
  expect(delivered.mock.calls).toEqual([
    ['registering an event queue failed', expect.objectContaining({ message: 'event_types is not a list' })],
    ['polling for events failed', expect.objectContaining({ message: 'Bad event queue ID: queue-1' })],
  ]);
  expect(received).toEqual([4]);
});

it('[R4.3] If the callback of callOnEachEvent throws, the error is logged and the other events are delivered', async () => {
  const { clock, received, logged } = await eg([registered(), events(1, 2)], {}, ({ id }) => {
    if (id === 1) throw new Error('cannot take it');
  });
  await clock.pass(pollDelay);
  expect(received).toEqual([1, 2]);
  expect(logged).toEqual(['event callback failed: cannot take it']);
});

it('callOnEachBatch delivers an event only once if the server sends it twice', async () => {
  const { server, received } = await eg([registered(), events(1, 2), events(1, 2, 3), events(3, 3, 4)], recovering);
  await server.arrived(5);
  expect(received).toEqual([1, 2, 3, 4]);
});

const heartbeat = (id: number) => ({ id, type: 'heartbeat' });
const typist = { user_id: 7, email: 'tanaka@engawa.example' };
const typing = (id: number, op: string) => ({
  id,
  type: 'typing',
  op,
  message_type: 'direct',
  sender: typist,
  recipients: [typist],
});

/** Delivers these events in a queue whose events up to 4 are acknowledged. */
async function deliver(...batches: readonly (readonly object[])[]) {
  const delivered: string[] = [];
  const answers = batches.map((each) => success({ events: each }));
  const example = await eg([registered('queue-1', 4), ...answers], { pause: 'after-empty-or-failed' }, (event) => {
    delivered.push(event.type === 'typing' ? `${event.op} ${event.id}` : `${event.type} ${event.id}`);
  });
  return { ...example, delivered };
}

it('The client delivers an ephemeral event with an old id and then polls with the same newest id as before', async () => {
  const { server, delivered, calls } = await deliver([typing(4, 'start')], [typing(3, 'stop')], [heartbeat(5)]);
  await server.arrived(5);
  expect(delivered).toEqual(['start 4', 'stop 3', 'heartbeat 5']);
  expect(calls().slice(1)).toEqual(['events queue-1 4', 'events queue-1 4', 'events queue-1 4', 'events queue-1 5']);
});

it.each([
  { type: 'presence', presences: {} },
  { type: 'call', call: { state: 'ended' } },
])('The client delivers the ephemeral event $type although its id is acknowledged already', async (event) => {
  const { server, delivered } = await deliver([heartbeat(5)], [{ ...event, id: 5 }]);
  await server.arrived(4);
  expect(delivered).toEqual(['heartbeat 5', `${event.type} 5`]);
});

it('The client delivers both a stored event and an ephemeral event with the same id', async () => {
  const { server, delivered } = await deliver(
    [heartbeat(5), typing(5, 'start')],
    [heartbeat(5), typing(5, 'stop'), heartbeat(6)],
  );
  await server.arrived(4);
  expect(delivered).toEqual(['heartbeat 5', 'start 5', 'stop 5', 'heartbeat 6']);
});

it('After an ephemeral event with a new id, the client polls with this id', async () => {
  const { server, delivered, calls } = await deliver([typing(5, 'start')], [typing(6, 'stop')]);
  await server.arrived(4);
  expect(delivered).toEqual(['start 5', 'stop 6']);
  expect(calls().at(-1)).toBe('events queue-1 6');
});

it('callOnEachBatch delivers and acknowledges an event of unknown type', async () => {
  const restart = { id: 8, type: 'restart', zulip_version: '10.0', zulip_feature_level: 371, server_generation: 1 };
  const delivered: ServerEvent[] = [];
  const answers = [registered(), success({ events: [restart] })];
  const { server, calls } = await eg(answers, recovering, (event) => delivered.push(event));
  await server.arrived(3);
  expect(delivered).toEqual([{ id: 8, type: 'unknown', original: restart }]);
  expect(calls().at(-1)).toBe('events queue-1 8');
});

it('callOnEachBatch aborts a poll without an answer after the timeout that the server named, and polls again', async () => {
  const answer = success({
    queue_id: 'queue-1',
    last_event_id: 7,
    zulip_version: '10.0',
    event_queue_longpoll_timeout_seconds: 60,
  });
  const { server, clock, logged, calls } = await eg([answer, 'hold']);
  await server.arrived(2);
  await clock.pass(60_000);
  await server.arrived(3);
  expect(calls().slice(1)).toEqual(['events queue-1 7', 'events queue-1 7']);
  expect(logged).toEqual([]);
});

it('When its signal is aborted, callOnEachBatch ends its loop and the request that is waiting', async () => {
  const { server, controller, ended } = await eg([registered()]);
  await server.arrived(2);
  controller.abort();
  await server.released;
  await ended;
  expect(server.received).toHaveLength(2);
});

it('callOnEachBatch with the option resume polls an existing queue and registers none', async () => {
  const { server, calls } = await eg([events(10)], { ...recovering, resume: { queueId: 'queue-9', lastEventId: 9 } });
  await server.arrived(2);
  expect(calls()).toEqual(['events queue-9 9', 'events queue-9 10']);
});

it('If the callback of callOnEachBatch throws, the loop ends with the error of the callback', async () => {
  const server = await serve(registered(), events(1));
  const loop = callOnEachBatch(connect({ realm: server.site }), () => {
    throw new RangeError('a mistake');
  });
  await expect(loop.ended).rejects.toThrow(RangeError);
  await server.close();
});

it('[R4.4] A polling loop with recover polls at once after events, and waits only after an answer without events', async () => {
  const { server, clock } = await eg([registered(), events(1), events(2), events()], recovering);
  await server.arrived(4);
  expect(clock.waits()).not.toContain(pollDelay);
  await clock.pass(pollDelay);
  await server.arrived(5);
});

it('[R4.4] When its queue has expired, a polling loop with recover registers a new one at once and delivers its snapshot before events', async () => {
  const delivered: string[] = [];
  const { server, calls } = await eg(
    [registered(), queueGone, registered('queue-2', 40), events(41)],
    {
      ...recovering,
      async onRegister({ queue_id }) {
        await Promise.resolve();
        delivered.push(queue_id);
      },
    },
    ({ id }) => delivered.push(`event ${id}`),
  );
  await server.arrived(5);
  expect(delivered).toEqual(['queue-1', 'queue-2', 'event 41']);
  expect(calls().slice(2)).toEqual(['POST /api/v1/register', 'events queue-2 40', 'events queue-2 41']);
});

it.each([
  ['an event that was pruned', refusal(400, 'BAD_REQUEST', 'An event newer than 5 has already been pruned!')],
  ['an event that cannot be read', success({ events: [{ id: 1, type: 'message' }] })],
  ['a page that is not the chat API’s', { html: '<h1>Welcome to this hotel</h1>' }],
])('A polling loop with recover registers a new queue after %s', async (_, answer) => {
  const { server, calls } = await eg([registered(), answer, registered('queue-2')], recovering);
  await server.arrived(4);
  expect(calls().slice(2)).toEqual(['POST /api/v1/register', 'events queue-2 -1']);
});

it('A polling loop with recover waits longer and longer when the server loses each new queue', async () => {
  const { server, clock } = await eg([registered(), queueGone, registered(), queueGone], recovering);
  await clock.pass(2000);
  await server.arrived(5);
});

it('A polling loop with recover waits longer and longer in an outage, and then polls without waiting for an event', async () => {
  const outage: Answer = { status: 503, html: 'Service Unavailable' };
  const { server, clock } = await eg([registered(), 'cut', outage, outage, events(), events(1), outage], recovering);
  await clock.pass(1000);
  await clock.pass(2000);
  await clock.pass(4000);
  await clock.pass(pollDelay);
  await clock.pass(1000);
  await server.arrived(8);
  const probes = server.received.slice(1).map(({ query }) => query['dont_block']);
  expect(probes).toEqual(['false', 'true', 'true', 'true', 'false', 'false', 'true']);
});

const outage: Answer = { status: 502, html: 'Bad Gateway' };

it('[R7.8] A polling loop with recover replaces its queue at once when the server answers again after a restart', async () => {
  const { server, clock, calls } = await eg(
    [registered(), outage, outage, outage, queueGone, registered('queue-2'), outage, events(1)],
    recovering,
  );
  await clock.pass(1000);
  await clock.pass(2000);
  await clock.pass(4000);
  await server.arrived(7);
  expect(calls().slice(5)).toEqual(['POST /api/v1/register', 'events queue-2 -1']);
  // The wait after the next failure is short again.
  await clock.pass(1000);
  await server.arrived(9);
});

it('[R7.8] A polling loop with recover waits longer and longer while the server answers to register and then fails', async () => {
  const failing = new ServerError(502, 'Bad Gateway');
  const onRegister = () => Promise.reject(failing);
  const { server, clock } = await eg([registered(), registered(), registered()], { ...recovering, onRegister });
  await clock.pass(1000);
  await clock.pass(2000);
  await server.arrived(3);
});

it('[R7.8] A poll that ends without events, because another poll of the queue began, is followed by the next poll', async () => {
  const { server, clock, received, calls } = await eg([registered('queue-1', 5), events(), events(6)], recovering);
  await clock.pass(pollDelay);
  await server.arrived(4);
  expect(received).toEqual([6]);
  expect(calls().slice(1)).toEqual(['events queue-1 5', 'events queue-1 5', 'events queue-1 6']);
});

it('[R7.8] A polling loop with recover registers again when its queue was deleted during a poll', async () => {
  const { server, clock, calls } = await eg([registered(), events(), queueGone, registered('queue-2')], recovering);
  await clock.pass(pollDelay);
  await server.arrived(5);
  expect(calls().slice(2)).toEqual(['events queue-1 -1', 'POST /api/v1/register', 'events queue-2 -1']);
});

it('A polling loop with recover calls onFailure when a registration or poll fails', async () => {
  const troubles: string[] = [];
  const { server, clock } = await eg([registered(), 'cut', events(1)], {
    ...recovering,
    onFailure: (error) => troubles.push(error.name),
  });
  await clock.pass(1000);
  await server.arrived(4);
  expect(troubles).toEqual(['NetworkError']);
});

it('A polling loop with recover calls onFailure when a poll that does not wait for events gets no answer', async () => {
  const troubles: string[] = [];
  const { server, clock } = await eg([registered(), 'hold', 'hold', events(1)], {
    ...recovering,
    onFailure: (error) => troubles.push(error.name),
  });
  await server.arrived(2);
  await clock.pass(longPollTimeoutSeconds * 1000);
  await server.arrived(3);
  expect(troubles).toEqual([]);
  await clock.pass(10_000);
  await clock.pass(1000);
  await server.arrived(5);
  expect(troubles).toEqual(['TimeoutError']);
  const probes = server.received.slice(1).map(({ query }) => query['dont_block']);
  expect(probes).toEqual(['false', 'true', 'true', 'false']);
});

it('A polling loop with recover waits as long as the answer to a rate-limited poll requires', async () => {
  const limited = refusal(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': 12 });
  const { server, clock, calls } = await eg([registered(), limited, events(1)], recovering);
  await clock.pass(12_000);
  await server.arrived(4);
  expect(calls().slice(1)).toEqual(['events queue-1 -1', 'events queue-1 -1', 'events queue-1 1']);
});

it('A polling loop with recover ends when the server refuses the credentials', async () => {
  const codes: string[] = [];
  const { server, ended } = await eg([registered(), refusal(401, 'INVALID_API_KEY', 'Invalid API key')], {
    ...recovering,
    onSignedOut: (error) => codes.push(error.code),
  });
  await ended;
  expect(codes).toEqual(['INVALID_API_KEY']);
  expect(server.received).toHaveLength(2);
});

it('A call of wake in an outage makes a loop that has the option recover retry at once', async () => {
  const { server, clock, wake } = await eg([registered(), 'cut', events(1)], recovering);
  await clock.until(1000);
  wake();
  await server.arrived(4);
});

it('A call of wake ends the waiting poll of a loop that has the option recover, and the loop polls again at once', async () => {
  const { server, wake, calls } = await eg([registered('queue-1', 5), 'hold', events(6)], recovering);
  await server.arrived(2);
  wake();
  await server.arrived(4);
  expect(calls().slice(1)).toEqual(['events queue-1 5', 'events queue-1 5', 'events queue-1 6']);
  expect(server.received[2]?.query['dont_block']).toBe('true');
});
