import type { Clock } from '../src/clock.ts';

interface Timer {
  readonly at: number;
  readonly milliseconds: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  /** Resolves when a timer of exactly `milliseconds` exists. */
  until(milliseconds: number): Promise<void>;
  /** Waits for a timer of exactly `milliseconds`, then advances the clock by it. */
  pass(milliseconds: number): Promise<void>;
  /** The durations of the pending timers in milliseconds. */
  waits(): readonly number[];
}

/** A clock that only `pass` advances. Due timers run in order. */
export function fakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  const timers = new Set<Timer>();
  const watchers = new Set<() => void>();

  const until = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!timers.values().some((timer) => timer.milliseconds === milliseconds)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });

  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, milliseconds, callback };
      timers.add(timer);
      watchers.forEach((look) => look());
      return () => timers.delete(timer);
    },
    until,
    async pass(milliseconds) {
      await until(milliseconds);
      now += milliseconds;
      const due = [...timers].filter((timer) => timer.at <= now).toSorted((one, other) => one.at - other.at);
      for (const timer of due) {
        if (timers.delete(timer)) timer.callback();
      }
    },
    waits: () => [...timers].map((timer) => timer.milliseconds),
  };
}
