const shortest = 1000;
const longest = 60_000;

/** Milliseconds to wait. They are partly random, so that clients do not all reconnect at once. @param random returns 0 to 1. */
export function backoff(failures: number, random: () => number): number {
  const bound = Math.min(longest, shortest * 2 ** (failures - 1));
  return shortest + random() * (bound - shortest);
}
