/** What has stayed before the reader for long enough to be read, and was not merely passed. */

/** Milliseconds. */
export const dwellsFor = 600;

export interface Dwelling<Key> {
  /** These are before the reader now, and nothing else. */
  see(keys: readonly Key[]): void;
  /** Whether it has stayed for long enough, and is still there. */
  hasStayed(key: Key): boolean;
  stop(): void;
}

/**
 * @param isThere Whether somebody looks.
 * @param onStay Told once of each that has stayed, as soon as it has.
 */
export function createDwelling<Key>(isThere: () => boolean, onStay: (keys: readonly Key[]) => void): Dwelling<Key> {
  /** When each has come. */
  let since = new Map<Key, number>();
  let stayed = new Set<Key>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    timer = undefined;
    // A machine that has slept comes late.
    if (!isThere()) return see([]);
    const until = Date.now() - dwellsFor;
    const ripe = since
      .keys()
      .filter((key) => !stayed.has(key) && (since.get(key) ?? Infinity) <= until)
      .toArray();
    ripe.forEach((key) => stayed.add(key));
    waitForNext();
    if (ripe.length > 0) onStay(ripe);
  }

  /** One timer: those that have come first are the first of the map. */
  function waitForNext(): void {
    if (timer !== undefined) return;
    const next = since.keys().find((key) => !stayed.has(key));
    const came = next === undefined ? undefined : since.get(next);
    if (came !== undefined) timer = setTimeout(tell, Math.max(came + dwellsFor - Date.now(), 0));
  }

  function see(keys: readonly Key[]): void {
    const now = Date.now();
    const before = since;
    const here = new Set(keys);
    since = new Map(before.entries().filter(([key]) => here.has(key)));
    for (const key of keys) if (!before.has(key)) since.set(key, now);
    stayed = stayed.intersection(here);
    waitForNext();
  }

  return {
    see,
    hasStayed: (key) => stayed.has(key),
    stop: () => clearTimeout(timer),
  };
}
