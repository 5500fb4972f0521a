// `npm run soak -- --minutes 60`: runs rounds of mixed load and measures the server after each.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fork } from 'node:child_process';
import { withNode } from './withNode.mjs';

const idle = 'idle';

if (process.argv[2] === idle) watchIdly();
else await withNode(import.meta.filename, run);

/** The event loop delay of an idle process, which is the delay of the machine alone. */
function watchIdly() {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  setInterval(() => undefined, 1000);
  process.on('message', () => {
    process.send?.(delay.percentile(99) / 1e6);
    delay.reset();
  });
}

async function run() {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) {
    console.error('usage: npm run soak -- [--minutes 60]');
    process.exit(2);
  }
  const { buildServer } = await import('./build.mjs');
  buildServer();
  const { soak } = await import('../packages/server/src/testing/soak/soak.ts');
  const { growths, riseOf } = await import('../packages/server/src/testing/soak/reading.ts');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-soak-'));
  const peer = fork(import.meta.filename, [idle]);
  const late = [];
  peer.on('message', (milliseconds) => late.push(milliseconds));
  const end = performance.now() + minutes * 60_000;
  const columns = ['round', 'heap MB', 'rss MB', 'files', 'timers', 'others', 'p50 ms', 'p99 ms'];
  console.log(columns.map((each) => each.padStart(9)).join(''));
  const tell = (reading, round) => {
    peer.send('read');
    if (round % 10 !== 0 && round !== 1) return;
    const { heap, rss, files, timers, others, delayP50, delayP99 } = reading;
    const cells = [
      round,
      (heap / 1e6).toFixed(2),
      (rss / 1e6).toFixed(0),
      files,
      timers,
      others,
      delayP50.toFixed(1),
      delayP99.toFixed(1),
    ];
    console.log(cells.map((each) => String(each).padStart(9)).join(''));
  };
  const isOver = () => performance.now() >= end;
  const readings = await soak({ rounds: Infinity, turnsPerRound: 10, warmUp: 10, dataDirectory, tell, isOver });
  peer.kill();
  rmSync(dataDirectory, { recursive: true });
  if (readings.length < 6) {
    console.error('Too short to measure growth: use more minutes.');
    process.exit(2);
  }
  // The idle process waited for the same machine, so the difference is due to the server.
  const own = readings.map(({ delayP99 }, at) => delayP99 - (late[at + 10] ?? 0));
  console.log(`event loop, p99 above that of an idle process: rose by ${riseOf(own).toFixed(1)} ms in ${own.length} rounds`);
  const found = growths(readings);
  if (riseOf(own) > 50) found.push('the event loop delay grows');
  for (const line of found) console.error(line);
  console.log(found.length === 0 ? 'Flat.' : 'Not flat.');
  process.exit(found.length === 0 ? 0 : 1);
}
