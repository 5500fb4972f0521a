import { signInLimits } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import { refused } from '../errors.ts';
import { CallCounts, networkOf } from '../http/rateLimits.ts';

export interface Attempt {
  readonly name: string;
  readonly address: string | undefined;
  /** A device on which the user of this name has signed in before; undefined for all others. */
  readonly device: string | undefined;
}

interface Counter {
  readonly counts: CallCounts;
  readonly key: string;
}

/**
 * Limits password attempts, even if no user has the name: a difference would reveal accounts. Wrong passwords of strangers count
 * for their network, and those on a known device for this device, so that strangers cannot lock a member out of it.
 */
export class SignInAttempts {
  readonly #clock: Clock;
  readonly #wrongOfNameInNetwork: CallCounts;
  readonly #wrongOfName: CallCounts;
  readonly #wrongInNetwork: CallCounts;
  readonly #wrongOnDevice: CallCounts;
  readonly #right: CallCounts;
  /** Each promise resolves when the last attempt for the name, or for the name on the known device, has ended. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wrongOfNameInNetwork = new CallCounts(clock, signInLimits.nameInNetwork);
    this.#wrongOfName = new CallCounts(clock, signInLimits.name);
    this.#wrongInNetwork = new CallCounts(clock, signInLimits.network);
    this.#wrongOnDevice = new CallCounts(clock, signInLimits.device);
    this.#right = new CallCounts(clock, signInLimits.right);
  }

  /**
   * Attempts for one name run one after the other, so that parallel attempts are counted. `compare` resolves to undefined for a
   * wrong password. @throws ChatError AUTHENTICATION_FAILED, RATE_LIMIT_HIT
   */
  async inTurn<User>(attempt: Attempt, compare: () => Promise<User | undefined>): Promise<User> {
    const name = attempt.name.toLowerCase();
    const turn = attempt.device === undefined ? name : `${name} ${attempt.device}`;
    const before = this.#turns.get(turn);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#turns.set(turn, over);
    try {
      await before;
      return await this.#counted(name, this.#wrongCountersOf(name, attempt), compare);
    } finally {
      if (this.#turns.get(turn) === over) this.#turns.delete(turn);
      end();
    }
  }

  /** Forgets the wrong passwords of a name, after its user got a new password. Looks at each of at most 300,000 counts. */
  forgive(name: string): void {
    const key = name.toLowerCase();
    this.#wrongOfName.forget((each) => each === key);
    for (const counts of [this.#wrongOfNameInNetwork, this.#wrongOnDevice]) {
      counts.forget((each) => String(each).startsWith(`${key} `));
    }
  }

  #wrongCountersOf(name: string, { address, device }: Attempt): readonly Counter[] {
    if (device !== undefined) return [{ counts: this.#wrongOnDevice, key: `${name} ${device}` }];
    const network = networkOf(address) ?? '';
    return [
      { counts: this.#wrongOfNameInNetwork, key: `${name} ${network}` },
      { counts: this.#wrongOfName, key: name },
      { counts: this.#wrongInNetwork, key: network },
    ];
  }

  async #counted<User>(name: string, wrong: readonly Counter[], compare: () => Promise<User | undefined>): Promise<User> {
    this.#refuseAfterTooMany([...wrong, { counts: this.#right, key: name }]);
    const user = await compare();
    // Attempts of the network that still run are not counted before, because a whole office may sign in at once. If
    // they have failed too often meanwhile, the answer must not reveal whether this password was right.
    this.#refuseAfterTooMany(wrong);
    if (user) {
      this.#right.spend(name);
      return user;
    }
    for (const { counts, key } of wrong) counts.spend(key);
    throw refused.wrongPassword();
  }

  #refuseAfterTooMany(counters: readonly Counter[]): void {
    for (const { counts, key } of counters) {
      const { remaining, reset } = counts.look(key);
      if (remaining === 0) throw refused.rateLimited(reset - this.#clock.now() / 1000);
    }
  }
}
