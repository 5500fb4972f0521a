import { backoff } from './backoff.ts';
import { sleep, type Clock } from './clock.ts';
import { NetworkError, RateLimitedError, ServerError } from './errors.ts';

export interface RetryOptions {
  /** The number of attempts, including the first. */
  readonly attempts: number;
  /** Returns 0 to 1, for the random part of waits. */
  readonly random?: (() => number) | undefined;
}

export interface RetryContext extends RetryOptions {
  /** Whether making the call twice has the same effect as making it once. */
  readonly repeatable: boolean;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** @throws the error of the last attempt; the signal's reason when the signal is aborted. */
export async function retryCall<Answer>(make: () => Promise<Answer>, options: RetryContext): Promise<Answer> {
  const { attempts, clock, signal } = options;
  for (let made = 1; ; made += 1) {
    try {
      return await make();
    } catch (error) {
      const milliseconds = made < attempts ? waitAfter(error, made, options) : undefined;
      if (milliseconds === undefined) throw error;
      await sleep(clock, milliseconds, signal);
      signal?.throwIfAborted();
    }
  }
}

function waitAfter(error: unknown, failures: number, options: RetryContext): number | undefined {
  // The server did not carry out the call, so even a call that changes something may be repeated.
  if (error instanceof RateLimitedError) return error.retryAfterSeconds * 1000;
  // The server may have carried out the call, so only an idempotent call may be repeated.
  const outage = error instanceof NetworkError || error instanceof ServerError;
  return outage && options.repeatable ? backoff(failures, options.random ?? Math.random) : undefined;
}
