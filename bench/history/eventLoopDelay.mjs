// Is imported into a server before its own program: tells whoever started it how late its event loop came.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const resolution = 10;

// The server's threads import it too, and are not what is watched.
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  // A timer's own interval is in what is counted.
  const late = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution);
  process.on('message', () => {
    process.send({ p50: late(delays.percentile(50)), p99: late(delays.percentile(99)), max: late(delays.max) });
    delays.reset();
  });
  process.channel.unref();
}
