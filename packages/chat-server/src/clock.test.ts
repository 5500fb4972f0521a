import { fetchApiKey, getMessages, getRealmPresence, sendMessage, updatePresence } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { mostHeld, steadyClock } from './clock.ts';
import * as eg from './testing/eg.ts';
import { queueOf } from './testing/queue.ts';

const start = Date.UTC(2026, 10, 20);
const never = () => () => undefined;

/** A system clock that can be set, and elapsed time that ignores it. */
function fakeSystem() {
  let systemTime = start;
  let passed = 0;
  const reports: [number, boolean][] = [];
  const options = {
    elapsed: () => passed,
    onSetBack: (milliseconds: number, isHeld: boolean) => void reports.push([milliseconds, isHeld]),
  };
  return {
    reports,
    steady: (least = 0) => steadyClock({ now: () => systemTime, every: never }, { least, ...options }),
    pass(milliseconds: number) {
      systemTime += milliseconds;
      passed += milliseconds;
    },
    adjust(milliseconds: number) {
      systemTime += milliseconds;
    },
  };
}

it('A steady clock returns the time of the system clock, even after the system clock jumped forward', () => {
  const { steady, pass, adjust, reports } = fakeSystem();
  const clock = steady();
  expect(clock.now()).toBe(start);
  pass(1500);
  expect(clock.now()).toBe(start + 1500);
  adjust(10 * 24 * mostHeld);
  expect(clock.now()).toBe(start + 1500 + 10 * 24 * mostHeld);
  expect(reports).toEqual([]);
});

it('After the system clock was set back, a steady clock runs at half speed until the system clock shows the same time', () => {
  const { steady, pass, adjust, reports } = fakeSystem();
  const clock = steady();
  adjust(-60_000);
  const seen = Array.from({ length: 7 }, () => {
    pass(20_000);
    return clock.now() - start;
  });
  expect(seen).toEqual([10_000, 20_000, 30_000, 40_000, 40_000, 60_000, 80_000]);
  expect(reports).toEqual([[50_000, true]]);
  adjust(-5000);
  clock.now();
  expect(reports).toHaveLength(2);
});

it('If the system clock is set back by more than an hour, the steady clock goes back too and reports it', () => {
  const { steady, adjust, reports } = fakeSystem();
  const clock = steady();
  adjust(-mostHeld - 1);
  expect(clock.now()).toBe(start - mostHeld - 1);
  expect(reports).toEqual([[mostHeld + 1, false]]);
});

it('A steady clock starts at the last stored time if the system clock is behind it by at most an hour', () => {
  const { steady, pass, reports } = fakeSystem();
  const clock = steady(start + 30_000);
  expect(clock.now()).toBe(start + 30_000);
  pass(60_000);
  expect(clock.now()).toBe(start + 60_000);
  expect(steady(start + 60_000 + mostHeld + 1).now()).toBe(start + 60_000);
  expect(reports).toEqual([
    [30_000, true],
    [mostHeld + 1, false],
  ]);
});

describe('A server whose clock is set back', () => {
  const hour = 60 * 60;

  it.each([
    ['by twenty minutes', hour / 3],
    ['by a day', 24 * hour],
  ])(
    'After the server’s clock was set back %s, events and messages still arrive in order and without delay',
    async (_, seconds) => {
      const server = await eg.server();
      const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
      const queue = await queueOf(sato);
      await tanaka.ok(sendMessage, eg.streamMessage('前'));
      expect(await queue.wait()).toMatchObject([{ message: { content: '前' } }]);
      const waiting = queue.wait();
      await server.clock.advance(1);
      server.clock.setBack(seconds);
      // The heartbeat comes at once, and the next one after the usual time.
      await server.clock.advance(1);
      expect(await waiting).toMatchObject([{ type: 'heartbeat' }]);
      const next = queue.wait();
      await server.clock.advance(55);
      expect(await next).toMatchObject([{ type: 'heartbeat' }]);
      const received = queue.wait();
      await tanaka.ok(sendMessage, eg.streamMessage('後'));
      expect(await received).toMatchObject([{ message: { content: '後' } }]);

      const { messages } = await sato.ok(getMessages, { anchor: 'newest', num_before: 2, num_after: 0, apply_markdown: false });
      const [before, after] = messages;
      expect(messages.map(({ content }) => content)).toEqual(['前', '後']);
      const isInOrder = (after?.timestamp ?? 0) >= (before?.timestamp ?? Infinity);
      expect(isInOrder).toBe(seconds <= hour);
      expect(server.reports()).toMatchObject([{ event: 'clock_set_back', isHeld: seconds <= hour }]);
    },
  );

  it('After the server’s clock was set back by a day, a member who was locked out after wrong passwords can sign in', async () => {
    const server = await eg.server();
    const wrong = () => eg.visitor(server).refused(fetchApiKey, { username: eg.emailOf('sato'), password: 'no' });
    const right = { username: eg.emailOf('sato'), password: eg.password };
    for (let tries = 0; tries < 30; tries += 1) if ((await wrong()).code === 'RATE_LIMIT_HIT') break;
    expect((await eg.visitor(server).refused(fetchApiKey, right)).code).toBe('RATE_LIMIT_HIT');
    server.clock.setBack(24 * hour);
    await eg.visitor(server).ok(fetchApiKey, right);
    expect(server.reports()).toHaveLength(1);
  });

  it('After the server’s clock was set back, clients receive the current presence times although they have already seen later times', async () => {
    const server = await eg.server();
    const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
    await tanaka.ok(updatePresence, { status: 'active', new_user_input: true });
    await server.clock.advance(5);
    server.clock.setBack(24 * hour);
    await tanaka.ok(updatePresence, { status: 'active', new_user_input: true });
    const now = server.clock.now() / 1000;
    const { presences } = await sato.ok(getRealmPresence, {});
    const times = JSON.stringify(presences?.[eg.emailOf('tanaka')]).match(/(?<="timestamp":)\d+/g) ?? [];
    expect(times).not.toEqual([]);
    for (const time of times) expect(Number(time)).toBeLessThanOrEqual(now);
    expect(server.reports()).toHaveLength(1);
  });
});
