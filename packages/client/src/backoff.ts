const shortest = 1000;
const longest = 60_000;

/**
 * Milliseconds to wait after so many failures in a row: one second at first, then somewhere between that and a bound
 * that doubles up to a minute. The spread keeps the clients of a server that returns from arriving all at once.
 * @param random 0 to 1.
 */
export function backoff(failures: number, random: () => number): number {
  const bound = Math.min(longest, shortest * 2 ** (failures - 1));
  return shortest + random() * (bound - shortest);
}
