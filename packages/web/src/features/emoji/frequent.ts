/** The emoji that a member uses most, counted by the server, or in this browser if the server does not count. */
import { z } from 'zod/mini';

const keyOf = (memberId: number) => `engawa:emoji:${memberId}`;
const most = 16;
const counts = z.record(z.string(), z.number());

const defaults = ['👍', '🙇', '🎉', '🙌', '👀', '😊', '💪', '🍵'];

/** @param open May throw, if the browser has no storage. @param known The counts of the server, the most used first. */
export function frequentlyUsed(
  open: () => Pick<Storage, 'getItem'>,
  memberId: number,
  known: Readonly<Record<string, number>> = {},
): string[] {
  return [...new Set([...Object.keys(known), ...usedHere(open, memberId), ...defaults])].slice(0, most);
}

/** Emoji counted in this browser and not sent to the server, the most used first. */
function usedHere(open: () => Pick<Storage, 'getItem'>, memberId: number): string[] {
  return Object.entries(read(open, memberId))
    .toSorted(([, one], [, other]) => other - one)
    .map(([emoji]) => emoji);
}

/** Removes and returns the emoji counted in this browser, so that the server counts them. The most used is last. */
export function takeUsedHere(open: () => Pick<Storage, 'getItem' | 'removeItem'>, memberId: number): readonly string[] {
  const used = usedHere(open, memberId).slice(0, most);
  if (used.length > 0) open().removeItem(keyOf(memberId));
  return used.toReversed();
}

export function countUse(open: () => Pick<Storage, 'getItem' | 'setItem'>, memberId: number, emoji: string): void {
  const before = read(open, memberId);
  try {
    open().setItem(keyOf(memberId), JSON.stringify({ ...before, [emoji]: (before[emoji] ?? 0) + 1 }));
  } catch {
    // If the storage is full or forbidden, the order is unchanged.
  }
}

function read(open: () => Pick<Storage, 'getItem'>, memberId: number): Readonly<Record<string, number>> {
  try {
    return counts.parse(JSON.parse(open().getItem(keyOf(memberId)) ?? '{}'));
  } catch {
    return {};
  }
}
