import { sleep, type Clock } from '@engawa/client';

/**
 * Resolves when what is looked at has stayed the same for long, or when nobody waits for it any more.
 * @param patience Milliseconds, by what was seen last.
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
