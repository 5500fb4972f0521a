import { backoff, sleep, type Clock } from '@engawa/client';
import type { Failure } from './failure.ts';

/** How the model goes through an outage: what fails is tried again, ever more patiently, and at once when woken. */
export interface Retry {
  /**
   * Tries until it succeeds. Undefined when `goesOn` says that a failure is final, or when nobody wants it any more.
   * @param goesOn Told of each failure.
   * @param signal The model's end unless said otherwise.
   */
  until<T>(attempt: () => Promise<T>, goesOn: (failure: Failure) => boolean, signal?: AbortSignal): Promise<T | undefined>;
  /** Somebody says that it is time to try again. */
  wake(): void;
}

export interface RetryOptions {
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly stop: AbortSignal;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
}

export function createRetry({ clock, random, stop, judge }: RetryOptions): Retry {
  let woken = new AbortController();

  function wait(failure: Failure, failures: number, signal: AbortSignal): Promise<void> {
    // A rate limit is not waited for less because the network is back.
    if (failure.kind === 'busy') return sleep(clock, failure.retryAfterSeconds * 1000, signal);
    return sleep(clock, backoff(failures, random), AbortSignal.any([signal, woken.signal]));
  }

  return {
    async until(attempt, goesOn, signal = stop) {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await attempt();
        } catch (error) {
          if (signal.aborted) return undefined;
          const failure = judge(error);
          if (!goesOn(failure)) return undefined;
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
