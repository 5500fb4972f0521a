/** The outside world's time, so that a test can bring its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `beat` every so many milliseconds, without keeping the process alive; returns how to stop. */
  every(milliseconds: number, beat: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  every(milliseconds, beat) {
    const timer = setInterval(beat, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};

export const seconds = (clock: Pick<Clock, 'now'>): number => Math.floor(clock.now() / 1000);

/** Milliseconds by which the outside world's time may be behind ours. What is dated by more than that is not bent to fit. */
export const mostHeld = 60 * 60_000;
/** Milliseconds below which nobody hears that it was set back: clocks are put right by little all the time. */
const worthTelling = 1000;

export interface SteadyOptions {
  /** Milliseconds since 1970: what was dated last. */
  readonly least: number;
  /** Milliseconds that pass at their own pace, whatever the clock is set to. */
  readonly elapsed?: () => number;
  /** Hears by how many milliseconds it was set back, once each time, and whether our time waits for it. */
  readonly tell: (milliseconds: number, isHeld: boolean) => void;
}

/**
 * A clock that does not go back when the outside world's is set back by up to `mostHeld`: until that has caught up it
 * goes on at half the pace, so that what is said later is dated later and nothing that waits is stuck. Where it was set
 * back by more, as one that had been wrong, it goes back with it.
 */
export function steadyClock(clock: Clock, { least, elapsed = () => performance.now(), tell }: SteadyOptions): Clock {
  let time = clock.now();
  let at = elapsed();
  let isTold = false;
  /** @returns the time instead, where it is so far behind ours. */
  const behind = (world: number, own: number): number => {
    const isHeld = own - world <= mostHeld;
    if (!isTold && own - world >= worthTelling) {
      isTold = true;
      tell(Math.round(own - world), isHeld);
    }
    return isHeld ? own : world;
  };
  if (least > time) time = behind(time, least);
  return {
    every: clock.every,
    now() {
      const world = clock.now();
      const now = elapsed();
      if (world >= time) {
        isTold = false;
        time = world;
      } else {
        time = behind(world, time + (now - at) / 2);
      }
      at = now;
      return Math.floor(time);
    },
  };
}
