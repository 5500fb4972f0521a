import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

export interface FakeClock extends Clock {
  /** Waits until pending work has finished, then advances second by second with all timers. */
  advance(seconds: number): Promise<void>;
  /** Advances by a long time in one step, which is quicker than `advance`. Each timer fires at most once. */
  jump(seconds: number): Promise<void>;
  setBack(seconds: number): void;
}

interface Timer {
  readonly milliseconds: number;
  readonly callback: () => void;
  next: number;
}

export function fakeClock(start = Date.UTC(2026, 10, 20, 0, 0, 0)): FakeClock {
  let now = start;
  const timers = new Set<Timer>();

  const move = async (milliseconds: number) => {
    now += milliseconds;
    for (const each of timers) {
      if (each.next > now) continue;
      each.next = now + each.milliseconds;
      each.callback();
    }
    await turn();
  };

  return {
    now: () => now,
    every(milliseconds, callback) {
      const each = { milliseconds, callback, next: now + milliseconds };
      timers.add(each);
      return () => timers.delete(each);
    },
    async advance(seconds) {
      await settled();
      for (let second = 0; second < seconds; second += 1) await move(1000);
      await settled();
    },
    setBack(seconds) {
      now -= seconds * 1000;
      for (const each of timers) each.next -= seconds * 1000;
    },
    async jump(seconds) {
      await settled();
      await move(seconds * 1000);
      await settled();
    },
  };
}

/** Waits until the work of the current turn is written, delivered and answered. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 8; turns += 1) await turn();
}
