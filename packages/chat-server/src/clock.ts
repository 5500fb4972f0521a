/** The time, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `beat` every so many milliseconds, without keeping the process alive. @returns a function that stops it. */
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

/** The most milliseconds by which a clock is held. */
export const mostHeld = 60 * 60_000;
/** Milliseconds below which setting the clock back is not reported: clocks are often adjusted a little. */
const leastReported = 1000;

export interface SteadyOptions {
  /** Milliseconds since 1970 of the newest stored time. */
  readonly least: number;
  readonly elapsed?: () => number;
  /** Called once each time the clock was set back. @param isHeld whether this clock waits for the other. */
  readonly onSetBack: (milliseconds: number, isHeld: boolean) => void;
}

/**
 * Does not go back when the other clock is set back by up to `mostHeld`: it runs at half the pace until the other clock has
 * caught up, so that timers still fire. If set back by more, the other clock was wrong before, and this one goes back too.
 */
export function steadyClock(clock: Clock, { least, elapsed = () => performance.now(), onSetBack }: SteadyOptions): Clock {
  let time = clock.now();
  let at = elapsed();
  let isReported = false;
  /** @returns the held time, or the world's time if that is too far behind. */
  const behind = (world: number, own: number): number => {
    const isHeld = own - world <= mostHeld;
    if (!isReported && own - world >= leastReported) {
      isReported = true;
      onSetBack(Math.round(own - world), isHeld);
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
        isReported = false;
        time = world;
      } else {
        time = behind(world, time + (now - at) / 2);
      }
      at = now;
      return Math.floor(time);
    },
  };
}
