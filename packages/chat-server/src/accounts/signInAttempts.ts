import { failedSignIns, failedSignInsByAddress } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import { refused } from '../errors.ts';
import { CallCounts, networkOf } from '../http/rateLimits.ts';

export interface Attempt {
  readonly name: string;
  readonly address: string | undefined;
}

/** Limits wrong passwords per network and per email, even if no user has the email: a difference would reveal accounts. */
export class SignInAttempts {
  readonly #clock: Clock;
  readonly #failed: CallCounts;
  readonly #failedFrom: CallCounts;
  /** Keys are emails. Each promise resolves when the last attempt for the email has ended. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#failed = new CallCounts(clock, failedSignIns);
    this.#failedFrom = new CallCounts(clock, failedSignInsByAddress);
  }

  /**
   * Attempts for one email run one after the other, so that parallel attempts are counted. `attempt` resolves to undefined for
   * a wrong password. @throws ChatError AUTHENTICATION_FAILED, RATE_LIMIT_HIT
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

  forgive(name: string): void {
    this.#failed.forget(name.toLowerCase());
  }

  async #counted<User>(key: string, network: string | undefined, attempt: () => Promise<User | undefined>): Promise<User> {
    this.#refuseAfterTooMany(this.#failed, key);
    // Attempts that still run are not counted, because a whole office may sign in at once. The turnstile of
    // `password.ts` bounds how many run.
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
