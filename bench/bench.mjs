/*
 * Measures the server: `npm run bench`, or `npm run bench -- --long` for more and longer runs. Names after it choose
 * among the measurements: `npm run bench -- fanOut`. Each figure stands beside a limit that is ours or a floor that was
 * measured in the same run; see docs/performance.md. It ends with 1 only when something could not be measured.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildServer } from '../scripts/build.mjs';
import { digits, isMissed, table } from './report.mjs';
import { measure as fanOut } from './fanOut.mjs';
import { measure as disk } from './history/disk.mjs';
import { measure as history } from './history/chatServer.mjs';
import { measure as monday } from './history/monday.mjs';
import { measure as start } from './history/start.mjs';
import { measure as sending } from './sending.mjs';

/** In the order in which they run. Each takes `{ long, tell }` and resolves to its figures (`report.mjs`). */
const measurements = { sending, fanOut, history, start, disk, monday };

const { values, positionals } = parseArgs({ options: { long: { type: 'boolean', default: false } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(measurements, name));
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}.`);
  process.exit(1);
}
const chosen = Object.entries(measurements).filter(([name]) => positionals.length === 0 || positionals.includes(name));

await buildServer();
const began = performance.now();
const loadBefore = loadavg()[0];
const figures = [];
for (const [name, measure] of chosen) {
  try {
    figures.push(...(await measure({ long: values.long, tell: (text) => console.error(`${name}: ${text}`) })));
  } catch (error) {
    console.error(`${name} could not be measured:`, error);
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
  const took = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${cpus().length} x ${model}, Node ${process.versions.node}; load ${load}; ${took} s`);
}
