import { type Clock, Durations } from '@engawa/chat-server/parts';

const everyMs = 100;

/** How much later than due a timer runs. A turn of the event loop of more than 100 ms is always noticed, a shorter one in proportion. */
export function watchEventLoop(every: Clock['every']): { readonly delays: Durations; stop(): void } {
  const delays = new Durations();
  let last = performance.now();
  const stop = every(everyMs, () => {
    const now = performance.now();
    delays.note(Math.max(0, now - last - everyMs));
    last = now;
  });
  return { delays, stop };
}
