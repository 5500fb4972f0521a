import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type Clock, seconds } from '../clock.ts';
import { refused } from '../errors.ts';

export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

/** The limits of calls by each member, and of calls with each refused credential, such as a revoked key. */
export interface RateLimits {
  readonly member: RateLimit;
  readonly refusedKey: RateLimit;
}

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** An IPv4 address, or the first half of an IPv6 address, because one customer gets a whole /64. Undefined stays undefined. */
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

/** The most keys that are counted at once. A new key replaces the one that began first. */
const mostKeys = 100_000;

/** Counts the calls of each key. The count begins with the key's first call and ends after the limit's number of seconds. */
export class CallCounts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limit: RateLimit;
  /** In the order in which they begin, so that those that end first come first. */
  readonly #windows = new Map<string | number, { reset: number; count: number }>();

  constructor(clock: Pick<Clock, 'now'>, limit: RateLimit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  spend(key: string | number): Allowance {
    const window = this.#current(key) ?? this.#begin(key);
    window.count += 1;
    return this.#allowance(window);
  }

  forget(isForgotten: (key: string | number) => boolean): void {
    for (const key of this.#windows.keys()) if (isForgotten(key)) this.#windows.delete(key);
  }

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
      // A window whose end is further ahead than a new one's began before the clock was set back.
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

export class RateLimiter {
  readonly #clock: Clock;
  readonly #members: CallCounts | undefined;
  readonly #refusedKeys: CallCounts | undefined;

  constructor(clock: Clock, limits: RateLimits | 'none') {
    this.#clock = clock;
    if (limits === 'none') return;
    this.#members = new CallCounts(clock, limits.member);
    this.#refusedKeys = new CallCounts(clock, limits.refusedKey);
  }

  /** Counts one call. @returns headers that tell how many calls remain. @throws ChatError RATE_LIMIT_HIT */
  ofMember(memberId: number): Headers {
    return this.#count(this.#members, memberId);
  }

  /** Slows a program that repeats a revoked key, but nobody else at its address. @param authorization the refused header. */
  ofRefusedKey(authorization: string): Headers {
    return this.#count(this.#refusedKeys, createHash('sha256').update(authorization).digest('base64'));
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
