import { sleep, type Clock } from '@engawa/client';

/** Resolves when the value has stayed the same for `patience` milliseconds, or when the signal is aborted. */
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
