import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

export interface FakeClock extends Clock {
  /** Lets what was begun come to rest; then second by second, as time passes while the server runs. */
  pass(seconds: number): Promise<void>;
  /** The same, all at once, for long times. */
  jump(seconds: number): Promise<void>;
  /** Somebody sets it back: what beats goes on beating as if nothing had happened. */
  setBack(seconds: number): void;
}

interface Beating {
  readonly milliseconds: number;
  readonly beat: () => void;
  next: number;
}

/** A clock that stands still until a test moves it. */
export function fakeClock(start = Date.UTC(2026, 10, 20, 0, 0, 0)): FakeClock {
  let now = start;
  const beating = new Set<Beating>();

  const move = async (milliseconds: number) => {
    now += milliseconds;
    for (const each of beating) {
      if (each.next > now) continue;
      each.next = now + each.milliseconds;
      each.beat();
    }
    await turn();
  };

  return {
    now: () => now,
    every(milliseconds, beat) {
      const each = { milliseconds, beat, next: now + milliseconds };
      beating.add(each);
      return () => beating.delete(each);
    },
    async pass(seconds) {
      await settled();
      for (let second = 0; second < seconds; second += 1) await move(1000);
      await settled();
    },
    setBack(seconds) {
      now -= seconds * 1000;
      for (const each of beating) each.next -= seconds * 1000;
    },
    async jump(seconds) {
      await settled();
      await move(seconds * 1000);
      await settled();
    },
  };
}

/** When what was begun in this turn is written, told and answered. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 8; turns += 1) await turn();
}
