export const dwellMs = 600;

/** `onStay` is called once per key that stayed long enough to be read. */
export function createDwellTracker<Key>(isActive: () => boolean, onStay: (keys: readonly Key[]) => void) {
  let since = new Map<Key, number>();
  let stayed = new Set<Key>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    timer = undefined;
    // A timer may fire late, for example after the machine slept, when the member is inactive.
    if (!isActive()) return see([]);
    const until = Date.now() - dwellMs;
    const ripe = since
      .keys()
      .filter((key) => !stayed.has(key) && (since.get(key) ?? Infinity) <= until)
      .toArray();
    ripe.forEach((key) => stayed.add(key));
    waitForNext();
    if (ripe.length > 0) onStay(ripe);
  }

  /** One timer is enough: the map is ordered by time. */
  function waitForNext(): void {
    if (timer !== undefined) return;
    const next = since.keys().find((key) => !stayed.has(key));
    const came = next === undefined ? undefined : since.get(next);
    if (came !== undefined) timer = setTimeout(tell, Math.max(came + dwellMs - Date.now(), 0));
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
    hasStayed: (key: Key) => stayed.has(key),
    stop: () => clearTimeout(timer),
  };
}
