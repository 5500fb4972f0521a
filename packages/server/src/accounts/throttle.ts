import { CallCounts, networkOf, type RateLimit } from '@engawa/chat-server';
import { refused } from '../http/errors.ts';

/** Counts what goes wrong from one network, and stops who tries too often. */
export interface Throttle {
  /**
   * Counted before it is known to be wrong, so that many at once are counted like one after another.
   * @returns what `attempt` does, unless there were too many that failed before.
   * @throws RefusedError RATE_LIMIT_HIT
   */
  failing<Result>(address: string, attempt: () => Promise<Result> | Result): Promise<Result>;
  /** Counts each. @throws RefusedError RATE_LIMIT_HIT */
  each(key: string): void;
  /** Counts each. @returns whether there were not too many. */
  may(key: string): boolean;
}

/** @param now milliseconds since 1970. */
export function createThrottle(limit: RateLimit, now: () => number): Throttle {
  const counts = new CallCounts({ now }, limit);
  const spend = (key: string): void => {
    const { exceeded, reset } = counts.spend(key);
    if (exceeded) throw refused.tooManyAttempts(Math.max(1, reset - Math.floor(now() / 1000)));
  };
  return {
    async failing(address, attempt) {
      const network = networkOf(address) ?? '';
      spend(network);
      const result = await attempt();
      counts.giveBack(network);
      return result;
    },
    each: spend,
    may: (key) => !counts.spend(key).exceeded,
  };
}

export const limits = {
  /** Wrong codes of the setup. */
  setup: { calls: 5, seconds: 15 * 60 },
  /** Links that are none. */
  links: { calls: 30, seconds: 15 * 60 },
  /** Letters for forgotten passwords: that one network asks for, and that one address gets. */
  forgotten: { calls: 20, seconds: 60 * 60 },
  mails: { calls: 3, seconds: 60 * 60 },
} as const;
