import { isIPv6 } from 'node:net';
import { type Clock, seconds } from '../clock.ts';
import { refused } from '../errors.ts';

export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

/** How many calls a member may make, and a network address without credentials. */
export interface RateLimits {
  readonly member: RateLimit;
  readonly address: RateLimit;
}

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which all of it is there again. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/**
 * What is counted as one caller: an IPv4 address, and of IPv6 the half that whoever has one has all of.
 * @returns undefined for the process itself.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || !isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [front = '', back] = address.split('::');
  const missing = back === undefined ? 0 : 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array.from({ length: missing }, () => '0'), ...groups(back ?? '')];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function groups(part: string): string[] {
  return part.split(':').filter((group) => group !== '');
}

/** Most keys that one table counts; the one that was first counted longest ago makes room. */
const mostKeys = 100_000;

/** Counts calls by key, in windows that begin with a key's first call. */
export class CallCounts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limit: RateLimit;
  /** In the order in which their windows began, so that what is over stands in front. */
  readonly #windows = new Map<string | number, { reset: number; count: number }>();

  constructor(clock: Pick<Clock, 'now'>, limit: RateLimit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts one call more. */
  spend(key: string | number): Allowance {
    const window = this.#current(key) ?? this.#begin(key);
    window.count += 1;
    return this.#allowance(window);
  }

  /** Counts one call less: it was of the kind that does not count after all. */
  giveBack(key: string | number): void {
    const window = this.#current(key);
    if (window && window.count > 0) window.count -= 1;
  }

  /** Begins at nothing again. */
  forget(key: string | number): void {
    this.#windows.delete(key);
  }

  /** Counts nothing. */
  look(key: string | number): Allowance {
    return this.#allowance(this.#current(key) ?? { reset: seconds(this.#clock) + this.#limit.seconds, count: 0 });
  }

  #allowance({ reset, count }: { readonly reset: number; readonly count: number }): Allowance {
    const { calls: limit } = this.#limit;
    return { limit, remaining: Math.max(0, limit - count), reset, exceeded: count > limit };
  }

  #current(key: string | number) {
    const now = seconds(this.#clock);
    for (const [oldest, { reset }] of this.#windows) {
      // One that ends later than a whole window from now was begun before the clock was set back.
      if (reset > now && reset <= now + this.#limit.seconds) break;
      this.#windows.delete(oldest);
    }
    return this.#windows.get(key);
  }

  #begin(key: string | number) {
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size < mostKeys) break;
      this.#windows.delete(oldest);
    }
    const window = { reset: seconds(this.#clock) + this.#limit.seconds, count: 0 };
    this.#windows.set(key, window);
    return window;
  }
}

type Headers = Readonly<Record<string, string>>;

/** Counts the calls of one kind of caller each, and refuses those that are too many. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #members: CallCounts | undefined;
  readonly #addresses: CallCounts | undefined;

  constructor(clock: Clock, limits: RateLimits | 'none') {
    this.#clock = clock;
    if (limits === 'none') return;
    this.#members = new CallCounts(clock, limits.member);
    this.#addresses = new CallCounts(clock, limits.address);
  }

  /** @returns the headers that tell a member how much is left. @throws ChatError RATE_LIMIT_HIT */
  ofMember(memberId: number): Headers {
    return this.#count(this.#members, memberId);
  }

  /** The same for whoever has shown no credentials. */
  ofAddress(address: string | undefined): Headers {
    const network = networkOf(address);
    return network === undefined ? {} : this.#count(this.#addresses, network);
  }

  #count(counts: CallCounts | undefined, key: string | number): Headers {
    if (!counts) return {};
    const { limit, remaining, reset, exceeded } = counts.spend(key);
    const headers = {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(reset),
    };
    if (exceeded) throw refused.rateLimited(reset - this.#clock.now() / 1000, headers);
    return headers;
  }
}
