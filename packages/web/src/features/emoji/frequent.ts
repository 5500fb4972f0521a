/** How often a member has used which emoji: as the server knows, or as far as it does not, in this browser. */
import { z } from 'zod';

const keyOf = (memberId: number) => `engawa:emoji:${memberId}`;
const most = 16;
const counts = z.record(z.string(), z.number());

/** The first suggestions, for a Japanese office. Emoji that the member uses come before them. */
const defaults = ['👍', '🙇', '🎉', '🙌', '👀', '😊', '💪', '🍵'];

/**
 * @param open Gives the storage; throws where there is none.
 * @param known What the server has counted, the most used first; undefined where it does not count.
 */
export function frequentlyUsed(
  open: () => Pick<Storage, 'getItem'>,
  memberId: number,
  known: Readonly<Record<string, number>> = {},
): string[] {
  return [...new Set([...Object.keys(known), ...usedHere(open, memberId), ...defaults])].slice(0, most);
}

/** The most used first, of what this browser has counted by itself and the server has not heard of. */
function usedHere(open: () => Pick<Storage, 'getItem'>, memberId: number): string[] {
  return Object.entries(read(open, memberId))
    .toSorted(([, one], [, other]) => other - one)
    .map(([emoji]) => emoji);
}

/** Takes them out of the storage, to tell the server of them: the least used first, so that the most used is the last. */
export function takeUsedHere(open: () => Pick<Storage, 'getItem' | 'removeItem'>, memberId: number): readonly string[] {
  const used = usedHere(open, memberId).slice(0, most);
  if (used.length > 0) open().removeItem(keyOf(memberId));
  return used.toReversed();
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
    // A malformed value counts as empty.
    return {};
  }
}
