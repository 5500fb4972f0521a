import { failedSignIns } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import { refused } from '../http/errors.ts';
import { CallCounts } from '../http/rateLimits.ts';

/** Counts the wrong passwords for each name, whether or not there is such a user, and stops who tries too many. */
export class SignInAttempts {
  readonly #clock: Clock;
  readonly #failed: CallCounts;
  /** By name: when the attempt that began last is over. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#failed = new CallCounts(clock, { calls: failedSignIns.most, seconds: failedSignIns.seconds });
  }

  /**
   * Attempts for one name take turns, so that many at once are counted like one after another.
   * @param attempt finds the user; undefined when the password is wrong.
   * @throws ChatError AUTHENTICATION_FAILED for a wrong password, RATE_LIMIT_HIT for any when there were too many.
   */
  async inTurn<User>(name: string, attempt: () => Promise<User | undefined>): Promise<User> {
    const key = name.toLowerCase();
    const before = this.#turns.get(key);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#turns.set(key, over);
    try {
      await before;
      return await this.#counted(key, attempt);
    } finally {
      if (this.#turns.get(key) === over) this.#turns.delete(key);
      end();
    }
  }

  async #counted<User>(key: string, attempt: () => Promise<User | undefined>): Promise<User> {
    const { remaining, reset } = this.#failed.look(key);
    if (remaining === 0) throw refused.rateLimited(reset - this.#clock.now() / 1000);
    const user = await attempt();
    if (user) return user;
    this.#failed.spend(key);
    throw refused.wrongPassword();
  }
}
