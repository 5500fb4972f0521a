import { failedSignIns, failedSignInsByAddress } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import { refused } from '../errors.ts';
import { CallCounts, networkOf } from '../http/rateLimits.ts';

/** Where an attempt comes from, and for whom. */
export interface Attempt {
  readonly name: string;
  /** Undefined for the process itself. */
  readonly address: string | undefined;
}

/**
 * Counts the wrong passwords for each name, whether or not there is such a user, and those that come from one network
 * for any name, and stops who tries too many.
 */
export class SignInAttempts {
  readonly #clock: Clock;
  readonly #failed: CallCounts;
  readonly #failedFrom: CallCounts;
  /** By name: when the attempt that began last is over. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#failed = new CallCounts(clock, { calls: failedSignIns.most, seconds: failedSignIns.seconds });
    this.#failedFrom = new CallCounts(clock, {
      calls: failedSignInsByAddress.most,
      seconds: failedSignInsByAddress.seconds,
    });
  }

  /**
   * Attempts for one name take turns, so that many at once are counted like one after another.
   * @param attempt finds the user; undefined when the password is wrong.
   * @throws ChatError AUTHENTICATION_FAILED for a wrong password, RATE_LIMIT_HIT for any when there were too many.
   */
  async inTurn<User>({ name, address }: Attempt, attempt: () => Promise<User | undefined>): Promise<User> {
    const key = name.toLowerCase();
    const before = this.#turns.get(key);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#turns.set(key, over);
    try {
      await before;
      return await this.#counted(key, networkOf(address), attempt);
    } finally {
      if (this.#turns.get(key) === over) this.#turns.delete(key);
      end();
    }
  }

  /** A name whose password was set anew may be tried again. */
  forgive(name: string): void {
    this.#failed.forget(name.toLowerCase());
  }

  async #counted<User>(key: string, network: string | undefined, attempt: () => Promise<User | undefined>): Promise<User> {
    this.#refuseAfterTooMany(this.#failed, key);
    // Those that are under way are not counted: in the morning a whole office signs in at once. The turnstile of
    // passwords bounds how many they can be.
    if (network !== undefined) this.#refuseAfterTooMany(this.#failedFrom, network);
    const user = await attempt();
    if (user) return user;
    this.#failed.spend(key);
    if (network !== undefined) this.#failedFrom.spend(network);
    throw refused.wrongPassword();
  }

  #refuseAfterTooMany(failed: CallCounts, key: string): void {
    const { remaining, reset } = failed.look(key);
    if (remaining === 0) throw refused.rateLimited(reset - this.#clock.now() / 1000);
  }
}
