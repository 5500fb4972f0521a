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

it('Retry.until waits longer after each failed attempt', async () => {
  const { clock, retry, attempt } = eg(cut, cut);
  const done = retry.until(attempt, always);
  await clock.pass(1000);
  await clock.pass(2000);
  expect(await done).toBe('done');
});

it('Retry.until makes the next attempt at once when wake is called', async () => {
  const { clock, retry, attempt } = eg(cut);
  const done = retry.until(attempt, always);
  await clock.until(1000);
  retry.wake();
  expect(await done).toBe('done');
});

it('Retry.until waits until a rate limit ends, even if wake is called', async () => {
  const { clock, retry, attempt } = eg(new RateLimitedError(12, 'RATE_LIMIT_HIT', 'slow'));
  const done = retry.until(attempt, always);
  await clock.until(12_000);
  retry.wake();
  expect(clock.waits()).toEqual([12_000]);
  await clock.pass(12_000);
  expect(await done).toBe('done');
});

it('Retry.until stops after a final failure, and when it is aborted', async () => {
  const final = eg(cut);
  expect(await final.retry.until(final.attempt, () => false)).toBeUndefined();
  const stopped = eg(cut, cut);
  const done = stopped.retry.until(stopped.attempt, always);
  await stopped.clock.until(1000);
  stopped.stopping.abort();
  expect(await done).toBeUndefined();
});

it('Retry.until throws a programming error instead of retrying', async () => {
  const { retry, attempt } = eg(new RangeError('a mistake'));
  await expect(retry.until(attempt, always)).rejects.toThrow(RangeError);
});
