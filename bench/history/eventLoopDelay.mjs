// Imported into a server process before its program; reports the event loop delay to the parent process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const resolution = 10;

// Worker threads also import it, but only the main thread is measured.
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  // The histogram includes the timer's own interval.
  const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution);
  process.on('message', () => {
    process.send({ p50: late(delays.percentile(50)), p99: late(delays.percentile(99)), max: late(delays.max) });
    delays.reset();
  });
  process.channel.unref();
}
