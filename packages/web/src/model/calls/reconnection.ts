import { sleep, type Clock } from '@engawa/client';

const tryForMs = 30_000;

interface ReconnectionOptions {
  readonly clock: Clock;
  readonly closed: AbortSignal;
  /** Milliseconds between two attempts. */
  readonly every: number;
  readonly attempt: () => void;
  readonly onGivenUp: () => void;
}

/** Attempts to connect until it succeeds, or until 30 seconds have passed since the media stopped. */
export function createReconnection({ clock, closed, every, attempt, onGivenUp }: ReconnectionOptions) {
  let running: AbortController | undefined;
  /** Unix milliseconds. A failed attempt does not begin a new period. */
  let brokenAt: number | undefined;

  async function run(firstAfterMs: number): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const stop = AbortSignal.any([closed, mine.signal]);
    brokenAt ??= clock.now();
    const until = brokenAt + tryForMs;
    await sleep(clock, firstAfterMs, stop);
    while (!stop.aborted && clock.now() < until) {
      attempt();
      await sleep(clock, every, stop);
    }
    if (stop.aborted) return;
    running = undefined;
    onGivenUp();
  }

  return {
    isRunning: () => running !== undefined,
    begin: (firstAfterMs: number) => void run(firstAfterMs),
    /** Begins a new period at once. */
    beginAgain(): void {
      brokenAt = undefined;
      void run(0);
    },
    connected(): void {
      running?.abort();
      running = undefined;
      brokenAt = undefined;
    },
  };
}
