/*
 * Measures the server: `npm run bench`, or `npm run bench -- --long` for more and longer runs. Names choose measurements:
 * `npm run bench -- fanOut`. Each figure has a reference: our limit, or a floor measured in the same run. See
 * docs/performance.md. The exit code is 1 only if a measurement failed.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildServer } from '../scripts/build.mjs';
import { digits, isMissed, table } from './report.mjs';
import { measure as capacity } from './capacity.mjs';
import { measure as fanOut } from './fanOut.mjs';
import { measure as backup } from './history/backup.mjs';
import { measure as bursts } from './history/bursts.mjs';
import { measure as disk } from './history/disk.mjs';
import { measure as fairness } from './history/fairness.mjs';
import { measure as importing } from './history/import.mjs';
import { measure as history } from './history/chatServer.mjs';
import { measure as monday } from './history/monday.mjs';
import { measure as startAndCalls } from './history/start.mjs';
import { measure as sending } from './sending.mjs';
import { measure as zulip } from './zulip.mjs';

/** In run order. Each takes `{ long, scale, log }` and resolves to its figures (`report.mjs`). */
const measurements = {
  sending,
  fanOut,
  capacity,
  history,
  start: startAndCalls,
  disk,
  backup,
  fairness,
  bursts,
  import: importing,
  monday,
  zulip,
};
const ofScale = ['capacity', 'history', 'start', 'disk', 'backup'];

const flag = { type: 'boolean', default: false };
const { values, positionals } = parseArgs({ options: { long: flag, scale: flag }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(measurements, name));
if (unknown.length > 0) {
  console.error(`Unknown measurement: ${unknown.join(', ')}. Choose from ${Object.keys(measurements).join(', ')}.`);
  process.exit(1);
}
const names = positionals.length > 0 ? positionals : values.scale ? ofScale : Object.keys(measurements);
const chosen = Object.entries(measurements).filter(([name]) => names.includes(name));

buildServer();
const start = performance.now();
const loadBefore = loadavg()[0];
const figures = [];
for (const [name, measure] of chosen) {
  try {
    figures.push(...(await measure({ ...values, log: (text) => console.error(`${name}: ${text}`) })));
  } catch (error) {
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
  }
}
print();

function print() {
  console.log(`\n${table(figures)}\n`);
  const missed = figures.filter(isMissed);
  for (const { name } of missed) console.log(`Missed: ${name}`);
  const [{ model }] = cpus();
  const load = `${digits(loadBefore)} before, ${digits(loadavg()[0])} after`;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${cpus().length} x ${model}, Node ${process.versions.node}; load ${load}; ${seconds} s`);
}
