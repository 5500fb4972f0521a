import { backoff } from './backoff.ts';
import { sleep, type Clock } from './clock.ts';
import { NetworkError, RateLimitedError, ServerError } from './errors.ts';

export interface RetryOptions {
  /** Including the first. */
  readonly attempts: number;
  /** Returns 0 to 1, for the spread of the waits. */
  readonly random?: (() => number) | undefined;
}

export interface RetryContext extends RetryOptions {
  /** The call is idempotent. */
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
  // The call was not carried out, so any call may be repeated.
  if (error instanceof RateLimitedError) return error.retryAfterSeconds * 1000;
  // It is unknown whether the call was carried out.
  const outage = error instanceof NetworkError || error instanceof ServerError;
  return outage && options.repeatable ? backoff(failures, options.random ?? Math.random) : undefined;
}
