import { CallCounts, networkOf, type RateLimit } from '@engawa/chat-server';
import { refused } from '../http/errors.ts';

export interface Throttle {
  /** Counts failures by network. An attempt is counted before it runs, because others may run at the same time. @throws RefusedError */
  failing<Result>(address: string, attempt: () => Promise<Result> | Result): Promise<Result>;
  /** Counts each call by the key. @throws RefusedError after too many calls. */
  each(key: string): void;
  /** Counts each call by the key, like `each`. @returns false after too many calls. */
  may(key: string): boolean;
}

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
  setup: { calls: 5, seconds: 15 * 60 },
  /** Attempts with an invalid link or setup code. */
  links: { calls: 30, seconds: 15 * 60 },
  forgotten: { calls: 20, seconds: 60 * 60 },
  mails: { calls: 3, seconds: 60 * 60 },
} as const;
