import type { Clock } from '../src/clock.ts';

interface Timer {
  readonly at: number;
  readonly milliseconds: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  /** Resolves when somebody has asked to be called after exactly `milliseconds`. */
  until(milliseconds: number): Promise<void>;
  /** The same, and then lets that time pass at once. */
  pass(milliseconds: number): Promise<void>;
  /** What is being waited for at the moment, in milliseconds. */
  waits(): readonly number[];
}

/** A clock that stands still until a test says how long passes. Whoever is due is called in order. */
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
