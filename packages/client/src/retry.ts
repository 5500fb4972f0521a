import { backoff } from './backoff.ts';
import { sleep, type Clock } from './clock.ts';
import { NetworkError, RateLimitedError, ServerError } from './errors.ts';

/** Whether a call that failed is made again. */
export interface RetryOptions {
  /** How often a call is made at most, the first time included. */
  readonly attempts: number;
  /** 0 to 1, for the spread of the waits. */
  readonly random?: (() => number) | undefined;
}

export interface RetryContext extends RetryOptions {
  /** Whether making the call twice does no more than making it once. */
  readonly repeatable: boolean;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a call until it succeeds, until it fails in a way that waiting does not cure, or `attempts` are used up.
 * @throws what the last attempt threw; the signal's reason when the caller gave up.
 */
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

/** Milliseconds until the call may be made again, or undefined when it may not. */
function waitAfter(error: unknown, failures: number, options: RetryContext): number | undefined {
  // Refused before it was carried out, so even a change may come again.
  if (error instanceof RateLimitedError) return error.retryAfterSeconds * 1000;
  // Whether it was carried out is unknown.
  const outage = error instanceof NetworkError || error instanceof ServerError;
  return outage && options.repeatable ? backoff(failures, options.random ?? Math.random) : undefined;
}
