import { sleep, type Clock } from '@engawa/client';

/**
 * Resolves when the observed value has stayed the same for `patience`, or when the signal is aborted.
 * @param patience Milliseconds, depending on the last value.
 */
export async function untilStill<Seen>(
  clock: Clock,
  look: () => Seen,
  patience: (seen: Seen) => number,
  signal: AbortSignal,
): Promise<void> {
  let seen: Seen;
  do {
    seen = look();
    await sleep(clock, patience(seen), signal);
  } while (!signal.aborted && look() !== seen);
}
