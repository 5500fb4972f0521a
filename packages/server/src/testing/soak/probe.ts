/** Runs inside the watched server (`node --import`) and answers over the channel to its parent. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Reading } from './reading.ts';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('message', () => void answer());
// The channel alone does not keep the server alive.
process.channel?.unref();

async function answer(): Promise<void> {
  const delays = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 };
  // Collects garbage twice, because finalisers that run after the first time release more.
  for (let turn = 0; turn < 2; turn += 1) {
    if (typeof collect === 'function') collect();
    await pause(20);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const reading: Reading = {
    heap: heapUsed + external,
    rss,
    files: readdirSync('/proc/self/fd').length,
    timers: resources.filter((kind) => kind === 'Timeout' || kind === 'Immediate').length,
    others: resources.filter((kind) => kind !== 'Timeout' && kind !== 'Immediate').length,
    delayP50: delays.p50,
    delayP99: delays.p99,
  };
  delay.reset();
  process.send?.(reading);
}
