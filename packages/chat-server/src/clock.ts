/** The time and its timers. Tests use another implementation. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `beat` at this interval, without keeping the process alive. @returns a function that stops it. */
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

/** Milliseconds. A steady clock waits for the system clock only if that is behind by at most this. */
export const mostHeld = 60 * 60_000;
/** Milliseconds. Smaller steps back are not reported, because systems often adjust their clocks a little. */
const leastReported = 1000;

export interface SteadyOptions {
  /** The newest stored time, in milliseconds since 1970. The clock begins there if the system clock is behind. */
  readonly least: number;
  readonly elapsed?: () => number;
  /** Called once each time the system clock was set back. @param isHeld whether the steady clock waits for it. */
  readonly onSetBack: (milliseconds: number, isHeld: boolean) => void;
}

/**
 * Does not go back when `clock` is set back by up to `mostHeld`: it runs at half speed until `clock` has
 * caught up, so that timers still fire. After a larger step, `clock` must have been wrong before, so this one goes back too.
 */
export function steadyClock(clock: Clock, { least, elapsed = () => performance.now(), onSetBack }: SteadyOptions): Clock {
  let time = clock.now();
  let at = elapsed();
  let isReported = false;
  /** @returns the time of the slow clock, or `world` if that is too far behind. */
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
