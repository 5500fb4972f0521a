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
