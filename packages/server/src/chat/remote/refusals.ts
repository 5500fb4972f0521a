import { CallCounts, networkOf, type RateLimits } from '@engawa/chat-server/parts';
import { signInLimits } from '@engawa/protocol';

/**
 * Counts wrong passwords and refused keys per network, so that one network cannot use up what Zulip allows this server's address.
 * Zulip counts the wrong passwords of each name itself.
 */
export interface Refusals {
  /** Seconds to wait; undefined if the call may be made. */
  waitOf(kind: RefusedKind, address: string): number | undefined;
  note(kind: RefusedKind, address: string): void;
}

type RefusedKind = 'password' | 'key';

export function createRefusals(now: () => number, limits: RateLimits | 'none'): Refusals {
  const counts = {
    password: new CallCounts({ now }, signInLimits.network),
    key: limits === 'none' ? undefined : new CallCounts({ now }, limits.refusedKey),
  };
  return {
    waitOf(kind, address) {
      const allowance = counts[kind]?.look(keyOf(address));
      return allowance?.remaining === 0 ? allowance.reset - now() / 1000 : undefined;
    },
    note: (kind, address) => void counts[kind]?.spend(keyOf(address)),
  };
}

function keyOf(address: string): string {
  return networkOf(address) ?? '';
}
