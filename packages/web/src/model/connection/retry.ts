import { backoff, sleep, type Clock } from '@engawa/client';
import type { Failure } from './failure.ts';

/** Retries failed calls with growing delays, and at once after `wake`. */
export interface Retry {
  /** Returns undefined if `isRetried` calls a failure final, or if the signal is aborted (by default when the model stops). */
  until<T>(attempt: () => Promise<T>, isRetried: (failure: Failure) => boolean, signal?: AbortSignal): Promise<T | undefined>;
  wake(): void;
}

export interface RetryOptions {
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  readonly stop: AbortSignal;
  /** Classifies the error of a failed call; throws any other error. */
  readonly judge: (error: unknown) => Failure;
}

export function createRetry({ clock, random, stop, judge }: RetryOptions): Retry {
  let woken = new AbortController();

  function wait(failure: Failure, failures: number, signal: AbortSignal): Promise<void> {
    // A returning network does not end a rate limit, so `wake` is ignored.
    if (failure.kind === 'busy') return sleep(clock, failure.retryAfterSeconds * 1000, signal);
    return sleep(clock, backoff(failures, random), AbortSignal.any([signal, woken.signal]));
  }

  return {
    async until(attempt, isRetried, signal = stop) {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await attempt();
        } catch (error) {
          if (signal.aborted) return undefined;
          const failure = judge(error);
          if (!isRetried(failure)) return undefined;
          await wait(failure, failures, signal);
        }
      }
      return undefined;
    },
    wake() {
      woken.abort();
      woken = new AbortController();
    },
  };
}
