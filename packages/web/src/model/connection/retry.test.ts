import { NetworkError, RateLimitedError } from '@engawa/client';
import { fakeClock } from '@engawa/client/testing';
import { expect, it } from 'vitest';
import { failureOf } from './failure.ts';
import { createRetry } from './retry.ts';

function eg(...errors: readonly Error[]) {
  const clock = fakeClock();
  const stopping = new AbortController();
  const retry = createRetry({ clock, random: () => 1, stop: stopping.signal, judge: failureOf });
  const left = errors.values();
  const attempt = async () => {
    const { value } = left.next();
    if (value) throw value;
    return 'done';
  };
  return { clock, retry, stopping, attempt };
}

const cut = new NetworkError('GET /messages', undefined);
const always = () => true;

it('tries again, ever more patiently', async () => {
  const { clock, retry, attempt } = eg(cut, cut);
  const done = retry.until(attempt, always);
  await clock.pass(1000);
  await clock.pass(2000);
  expect(await done).toBe('done');
});

it('tries at once when woken', async () => {
  const { clock, retry, attempt } = eg(cut);
  const done = retry.until(attempt, always);
  await clock.until(1000);
  retry.wake();
  expect(await done).toBe('done');
});

it('waits as long as a rate limit says, woken or not', async () => {
  const { clock, retry, attempt } = eg(new RateLimitedError(12, 'RATE_LIMIT_HIT', 'slow'));
  const done = retry.until(attempt, always);
  await clock.until(12_000);
  retry.wake();
  expect(clock.waits()).toEqual([12_000]);
  await clock.pass(12_000);
  expect(await done).toBe('done');
});

it('ends where a failure is final, and when it is stopped', async () => {
  const final = eg(cut);
  expect(await final.retry.until(final.attempt, () => false)).toBeUndefined();
  const stopped = eg(cut, cut);
  const done = stopped.retry.until(stopped.attempt, always);
  await stopped.clock.until(1000);
  stopped.stopping.abort();
  expect(await done).toBeUndefined();
});

it('lets a mistake of ours rise', async () => {
  const { retry, attempt } = eg(new RangeError('a mistake'));
  await expect(retry.until(attempt, always)).rejects.toThrow(RangeError);
});
