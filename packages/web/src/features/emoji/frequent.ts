/** How often this browser has used which emoji. */
import { z } from 'zod';

const storageKey = 'engawa:emoji';
const most = 16;
const counts = z.record(z.string(), z.number());

/** What a newcomer to a Japanese office needs first; what is used more comes before it. */
const defaults = ['👍', '🙇', '🎉', '🙌', '👀', '😊', '💪', '🍵'];

export function frequentlyUsed(storage: Pick<Storage, 'getItem'>): string[] {
  const used = Object.entries(read(storage)).toSorted(([, one], [, other]) => other - one);
  return [...new Set([...used.map(([emoji]) => emoji), ...defaults])].slice(0, most);
}

export function countUse(storage: Pick<Storage, 'getItem' | 'setItem'>, emoji: string): void {
  const before = read(storage);
  try {
    storage.setItem(storageKey, JSON.stringify({ ...before, [emoji]: (before[emoji] ?? 0) + 1 }));
  } catch {
    // The storage is full or forbidden: the order stays as it was.
  }
}

function read(storage: Pick<Storage, 'getItem'>): Readonly<Record<string, number>> {
  try {
    return counts.parse(JSON.parse(storage.getItem(storageKey) ?? '{}'));
  } catch {
    // What another version or a hand has written there is not worth more than starting anew.
    return {};
  }
}
