import { livePath, type LiveAnswer, liveAnswer, type LiveEvent, liveLimits } from '@engawa/protocol/live';
import { describe, expect, it } from 'vitest';
import { fromOwnPage, runProduct, runProductForFile, type RunningProduct } from '../testing/product.ts';
import { Live } from './live.ts';

const [tanaka, sato] = [11, 12];
const second = 1000;
const setting = (value: unknown): LiveEvent => ({ type: 'user_settings', op: 'update', property: 'density', value });

/** A channel on a clock that only `pass` moves. */
function eg() {
  let now = 0;
  const checks = new Set<() => void>();
  const live = new Live({
    now: () => now,
    every(_, beat) {
      checks.add(beat);
      return () => checks.delete(beat);
    },
  });
  return {
    live,
    pass(milliseconds: number) {
      now += milliseconds;
      for (const check of checks) check();
    },
    poll: (userId: number, after?: string, signal = new AbortController().signal) => live.poll(userId, after, signal),
  };
}

const valuesOf = ({ events }: LiveAnswer) => events.map((event) => event.type === 'user_settings' && event.value);

describe('the live channel', () => {
  it('[R7.8] The first poll answers at once with a position, and later ones with the events since the position', async () => {
    const { live, poll } = eg();
    const first = await poll(tanaka);
    expect(first).toMatchObject({ missed: true, events: [] });
    live.publish([tanaka], setting('compact'));
    live.publish([tanaka], setting('wide'));
    const answer = await poll(tanaka, first.after);
    expect(answer).toMatchObject({ missed: false, events: [{ id: 1, type: 'user_settings' }, { id: 2 }] });
    expect(valuesOf(answer)).toEqual(['compact', 'wide']);
    live.publish([tanaka], setting('compact'));
    expect(valuesOf(await poll(tanaka, answer.after))).toEqual(['compact']);
  });

  it('[R7.8] A waiting poll gets an event without a delay, on all devices of the member, and other members do not get it', async () => {
    const { live, poll, pass } = eg();
    const [own, others] = [await poll(tanaka), await poll(sato)];
    const [phone, desk, other] = [poll(tanaka, own.after), poll(tanaka, own.after), poll(sato, others.after)];
    live.publish([tanaka], setting('compact'));
    expect(valuesOf(await phone)).toEqual(['compact']);
    expect(valuesOf(await desk)).toEqual(['compact']);
    pass(liveLimits.poll * second);
    expect(await other).toEqual({ after: others.after, missed: false, events: [] });
  });

  it('[R7.8] A poll with a position from before a restart of the server learns that events may be missing', async () => {
    const { after } = await eg().poll(tanaka);
    expect(await eg().poll(tanaka, after)).toMatchObject({ missed: true, events: [] });
  });

  it('[R7.8] The channel of a member is bounded, and a device that lags behind learns that events are missing', async () => {
    const { live, poll } = eg();
    const { after } = await poll(tanaka);
    for (let count = 0; count < liveLimits.events; count += 1) live.publish([tanaka], setting(count));
    expect((await poll(tanaka, after)).events).toHaveLength(liveLimits.events);
    live.publish([tanaka], setting('one more'));
    expect(await poll(tanaka, after)).toMatchObject({ missed: true, events: [] });
    const current = (await poll(tanaka)).after;
    live.publish([tanaka], setting('長'.repeat(liveLimits.characters)));
    expect(await poll(tanaka, current)).toMatchObject({ missed: true, events: [] });
  });

  it('[R7.8] The channel of a member who does not poll is dropped', async () => {
    const { live, poll, pass } = eg();
    const { after } = await poll(tanaka);
    pass(liveLimits.kept * second);
    live.publish([tanaka], setting('compact'));
    expect((await poll(tanaka, after)).events).toHaveLength(1);
    pass((liveLimits.kept + 1) * second);
    expect((await poll(tanaka, after)).missed).toBe(true);
  });

  it('[R7.8] A browser that hangs up leaves no waiting poll, and the oldest of too many polls is answered', async () => {
    const { poll } = eg();
    const { after } = await poll(tanaka);
    const left = new AbortController();
    const abandoned = poll(tanaka, after, left.signal);
    left.abort();
    expect((await abandoned).events).toEqual([]);
    const waiting = Array.from({ length: liveLimits.polls + 1 }, () => poll(tanaka, after));
    expect(await waiting[0]).toEqual({ after, missed: false, events: [] });
  });

  it('[R7.8] When the server stops, it answers the waiting polls and refuses new ones', async () => {
    const { live, poll } = eg();
    const { after } = await poll(tanaka);
    const waiting = poll(tanaka, after);
    live.stop();
    expect((await waiting).events).toEqual([]);
    await expect(poll(tanaka, after)).rejects.toThrow('the server is closing');
  });
});

/** Starts a poll that waits. The answer to its first request, which follows, shows that the poll has arrived. */
async function waitingPoll({ app }: RunningProduct, credentials: object) {
  const headers = { host: 'localhost', ...credentials };
  const open = async () => liveAnswer.parse((await app.inject({ url: livePath, headers })).json());
  const { after } = await open();
  const request = () => app.inject({ url: livePath, query: { after }, headers });
  const answer = request();
  await open();
  return { answer, request };
}

describe('GET /api/live', async () => {
  const product = await runProductForFile({ RATE_LIMIT: 'none' });

  it('[R7.8] The live channel is for members only, and no cache keeps its answers', async () => {
    const headers = { host: 'localhost' };
    expect((await product.app.inject({ url: livePath, headers })).statusCode).toBe(401);
    const authorization = await product.basicOf('tanaka');
    const answer = await product.app.inject({ url: livePath, headers: { ...headers, authorization } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('[R7.8] A poll of the live channel ends with its session', async () => {
    const cookie = await product.cookieOf('tanaka');
    const poll = await waitingPoll(product, { cookie });
    const headers = { host: 'localhost', cookie, ...fromOwnPage };
    await product.app.inject({ method: 'POST', url: '/logout', headers });
    expect(liveAnswer.parse((await poll.answer).json()).events).toEqual([]);
    expect((await poll.request()).statusCode).toBe(401);
  });

  it('[R7.8] When the product closes, it answers the waiting polls of the live channel', async () => {
    const closing = await runProduct({ RATE_LIMIT: 'none' });
    const poll = await waitingPoll(closing, { authorization: await closing.basicOf('tanaka') });
    await closing.close();
    expect((await poll.answer).statusCode).toBe(200);
    expect(closing.log).toEqual([]);
  });
});
