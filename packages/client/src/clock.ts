/** The time that a connection and its loops live in, so that a test can bring its own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls back once after `milliseconds`; returns how to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `milliseconds`, or as soon as the signal is aborted: whoever waits looks at the signal itself. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    signal?.addEventListener('abort', finish);
  });
}
