/** How often a member has used which emoji in this browser. */
import { z } from 'zod';

const keyOf = (memberId: number) => `engawa:emoji:${memberId}`;
const most = 16;
const counts = z.record(z.string(), z.number());

/** What a newcomer to a Japanese office needs first; what is used more comes before it. */
const defaults = ['👍', '🙇', '🎉', '🙌', '👀', '😊', '💪', '🍵'];

/** @param open Gives the storage; throws where there is none. */
export function frequentlyUsed(open: () => Pick<Storage, 'getItem'>, memberId: number): string[] {
  const used = Object.entries(read(open, memberId)).toSorted(([, one], [, other]) => other - one);
  return [...new Set([...used.map(([emoji]) => emoji), ...defaults])].slice(0, most);
}

/** @param open Gives the storage; throws where there is none. */
export function countUse(open: () => Pick<Storage, 'getItem' | 'setItem'>, memberId: number, emoji: string): void {
  const before = read(open, memberId);
  try {
    open().setItem(keyOf(memberId), JSON.stringify({ ...before, [emoji]: (before[emoji] ?? 0) + 1 }));
  } catch {
    // The storage is full or forbidden: the order stays as it was.
  }
}

function read(open: () => Pick<Storage, 'getItem'>, memberId: number): Readonly<Record<string, number>> {
  try {
    return counts.parse(JSON.parse(open().getItem(keyOf(memberId)) ?? '{}'));
  } catch {
    // What another version or a hand has written there is not worth more than starting anew.
    return {};
  }
}
