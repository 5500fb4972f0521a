import { sleep, type Clock } from '@engawa/client';

/**
 * Resolves when the observed value has stayed the same for `patience`, or when the signal is aborted.
 * @param patience Milliseconds, depending on the last value.
 */
export async function untilStill<Value>(
  clock: Clock,
  read: () => Value,
  patience: (value: Value) => number,
  signal: AbortSignal,
): Promise<void> {
  let value: Value;
  do {
    value = read();
    await sleep(clock, patience(value), signal);
  } while (!signal.aborted && read() !== value);
}
