import { CallCounts, networkOf, type RateLimit } from '@engawa/chat-server';
import { refused } from '../http/errors.ts';

/** Counts failures per network and stops callers with too many. */
export interface Throttle {
  /**
   * The attempt is counted before it runs, so that concurrent attempts count like consecutive ones.
   * @returns the result of `attempt`.
   * @throws RefusedError RATE_LIMIT_HIT after too many failures.
   */
  failing<Result>(address: string, attempt: () => Promise<Result> | Result): Promise<Result>;
  /** Counts every call. @throws RefusedError RATE_LIMIT_HIT */
  each(key: string): void;
  /** Counts every call. @returns false after too many. */
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
  /** Wrong setup codes. */
  setup: { calls: 5, seconds: 15 * 60 },
  /** Invalid links. */
  links: { calls: 30, seconds: 15 * 60 },
  /** Forgotten passwords: requests from one network, and mails to one address. */
  forgotten: { calls: 20, seconds: 60 * 60 },
  mails: { calls: 3, seconds: 60 * 60 },
} as const;
