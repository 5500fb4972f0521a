/*
 * Measures the web client in a real browser against the limits of docs/performance.md. The exit code is 1 when a figure
 * exceeds its limit. A figure is the median of its runs, printed with the best run, the value of a bare page and the ratio to it.
 */
import { cpus, loadavg } from 'node:os';
import { build } from '../scripts/build.mjs';
import { longHistory } from './longHistory.mjs';
import { bareClick, emojiPicker, keyToFrame, openBareField, openTwoStreams, streamSwitch } from './interaction.mjs';
import { launch } from './page.mjs';
import { startProduct } from './product.mjs';
import { rowsRendered } from './rendering.mjs';
import { median } from './samples.mjs';
import { firstMessage, initialJavaScript } from './startup.mjs';
import { initialJavaScriptBudget } from '../packages/web/build/budget.ts';

const start = performance.now();
const lines = [];

build();
const [load] = loadavg();
const product = await startProduct();
const browser = await launch();
try {
  await measure(product);
} finally {
  await browser.close();
  await product.stop();
}
print();
if (lines.some(isOver)) process.exitCode = 1;

async function measure({ url, dataDirectory }) {
  log('start …');
  note('initial JavaScript, gzip', 'kB', initialJavaScriptBudget, initialJavaScript());
  const first = await firstMessage(url);
  note('first message painted, cold, 4x', 'ms', 6.7 * median(first.bare), first.measured, first.bare);

  log('interaction …');
  // One page at a time: a throttled page uses a processor even when idle.
  const before = await floors(url);
  const page = await openTwoStreams(browser, url);
  const [switches, keys, emoji] = [await streamSwitch(page), await keyToFrame(page), await emojiPicker(page)];
  await page.context().close();
  const after = await floors(url);
  const [clicks, bareKeys] = [before.clicks.concat(after.clicks), before.keys.concat(after.keys)];
  note('stream switch, data at hand, 4x', 'ms', 5.5 * median(clicks), switches, clicks);
  note('key to next frame, p95, 4x', 'ms', 50, keys, bareKeys);
  note('emoji picker, first opening, 4x', 'ms', 500, emoji.first);
  note('emoji picker, later, 4x', 'ms', 300, emoji.later);

  log('rows …');
  const rows = await rowsRendered(browser, url);
  note('message rows rendered by an append', 'rows', 1, [rows.append]);
  note('message rows rendered by an edit', 'rows', 1, [rows.edit]);
  note("rows rendered by another stream's message", 'rows', 1, [rows.elsewhere]);

  log('100,000 messages …');
  const history = await longHistory(browser, { url, dataDirectory }, log);
  note('100,000 messages: long tasks while scrolling, 1x', 'tasks', 0, [history.longTasks], [history.bareLongTasks]);
  note('100,000 messages: drift when a page is prepended', 'px', 1, [history.drift]);
  note('100,000 messages: JavaScript heap', 'MB', 20, [history.heap], [history.shortHeap]);
}

async function floors(url) {
  const bare = await openBareField(browser, url);
  const floor = { clicks: await bareClick(bare), keys: await keyToFrame(bare) };
  await bare.context().close();
  return floor;
}

function note(figure, unit, limit, runs, floor = []) {
  lines.push({ figure, unit, limit, runs, floor });
}

function log(text) {
  process.stderr.write(`${Math.round((performance.now() - start) / 1000)} s: ${text}\n`);
}

function isOver({ runs, limit }) {
  return median(runs) > limit;
}

function print() {
  console.table(Object.fromEntries(lines.map((line) => [line.figure, cellsOf(line)])));
  console.log(
    `Chromium ${browser.version()}, ${cpus().length} processors (${cpus()[0].model}), load ${load.toFixed(1)} at the start.`,
  );
  for (const { figure } of lines.filter(isOver)) console.log(`OVER its limit: ${figure}`);
}

function cellsOf({ unit, limit, runs, floor }) {
  const show = (value) => `${Number(value.toFixed(1))} ${unit}`;
  return {
    median: show(median(runs)),
    best: show(Math.min(...runs)),
    runs: runs.length,
    limit: show(limit),
    'of the limit': limit === 0 ? '' : `${Math.round((median(runs) / limit) * 100)} %`,
    'bare page': floor.length === 0 ? '' : show(median(floor)),
    'times bare page': floor.length === 0 || median(floor) === 0 ? '' : (median(runs) / median(floor)).toFixed(1),
  };
}
