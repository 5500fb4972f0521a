/*
 * Measures calls between browsers: `npm run bench:mesh`; more runs with RUNS=20, and with RUNS=0 only a call of eight, whose 56
 * links need about 3.5 processors. All members are contexts of one Chromium, so they
 * share its processors, and the figures are pessimistic. Voices are tones, pictures are those of Chromium's fake camera.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { chromium } from '@playwright/test';
import { heard, installProbe, isTone, longestGap, received, toneOf } from '../e2e/callProbe.ts';
import { findOrInstallBrowser } from '../scripts/browser.mjs';
import { build } from '../scripts/build.mjs';
import { openStreams, rowOf } from './page.mjs';
import { apiOf, makeStream, reader, speakers, startProduct } from './product.mjs';
import { median, percentile } from './samples.mjs';

const runs = Number(process.env.RUNS ?? 3);
const measuredSeconds = 8;
/** Of `/proc`, a second. */
const clockTicks = 100;
const addressOf = (name) => `${name}@engawa.example`;
const callers = [reader, ...speakers, ...['shimizu', 'yamaguchi', 'kondo'].map(addressOf)];
/** A stream of more than ten members is not rung, so no dialog covers the buttons. */
const members = [...callers, ...['inoue', 'matsumoto', 'yoshida', 'mori'].map(addressOf)];
const awayMilliseconds = 10_000;

build();
const [load] = loadavg();
const product = await startProduct();
const server = await chromium.launchServer({
  executablePath: findOrInstallBrowser(),
  args: ['--no-sandbox', '--disable-gpu', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
});
const browser = await chromium.connect(server.wsEndpoint());
const lines = [];
try {
  await measure();
} finally {
  await browser.close();
  await server.close();
  await product.stop();
}
console.table(lines);
console.log(
  `Chromium ${browser.version()}, ${cpus().length} processors (${cpus()[0].model}), load ${load.toFixed(1)} at the start.`,
);

async function measure() {
  const api = await apiOf(product.url, reader);
  const times = { second: [], fourth: [], camera: [] };
  const gaps = [];
  const shares = { voices: [], cameras: [], server: [] };
  for (let run = 0; run < runs; run += 1) {
    // A member may start ten calls in ten minutes.
    callers.push(callers.shift());
    const stream = `通話 ${run}`;
    await makeStream(api, stream, members);
    const pages = [await join(stream, 0)];
    pages.push((await timed(times.second, stream, pages)).page);
    await enableCamera(pages, times.camera);
    await press(pages[0], 'カメラを切る');
    pages.push((await timed([], stream, pages)).page);
    pages.push((await timed(times.fourth, stream, pages)).page);
    await share(shares.voices, pages.length, shares.server);
    gaps.push(await gapWithoutServer(pages));
    for (const page of pages) await press(page, 'カメラを入れる');
    await Promise.all(pages.map((page) => growFromAll(page, pages.length - 1)));
    await share(shares.cameras, pages.length, []);
    await end(pages);
  }
  note('join to first sound, second member, ms', times.second);
  note('join until the fourth hears all three, ms', times.fourth);
  note('camera on to the first frame, ms', times.camera);
  note('processor per link and member, 4 voices, cores', shares.voices);
  note('processor per link and member, 4 cameras, cores', shares.cameras);
  note("the server's processor, 4 voices, cores", shares.server);
  note('longest time without a packet while the server is away for 10 s, ms', gaps);
  if (runs === 0) await hearEight(api);
}

/** The members speak one after the other, as people do, and are counted by all others. */
async function hearEight(api) {
  const stream = '八人の通話';
  await makeStream(api, stream, members);
  const pages = [];
  for (const member of callers.keys()) {
    pages.push(await join(stream, member));
    // The fifth and later members join muted.
    if (member < 4) await press(pages[member], 'マイクを切る');
  }
  let pairs = 0;
  for (const [speaker, page] of pages.entries()) {
    await press(page, 'マイクを入れる');
    pairs += await listenersOf(
      speaker,
      pages.filter((_, member) => member !== speaker),
    );
    await press(page, 'マイクを切る');
  }
  console.log(`${pages.length} voices: ${pairs} of ${pages.length * (pages.length - 1)} pairs hear each other.`);
  await end(pages);
}

/** All members leave, so that they can be in the next call. */
async function end(pages) {
  for (const page of pages) {
    const left = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/leave'));
    await page.getByRole('button', { name: '退出', exact: true }).first().click();
    await left;
    await page.context().close();
  }
}

/** @returns how many of the others hear the speaker: all of them, or those who do after half a minute. */
async function listenersOf(speaker, others) {
  const end = performance.now() + 30_000;
  for (;;) {
    const peaks = await Promise.all(others.map((page) => heard(page)));
    const count = peaks.filter((each) => each.some(isTone(toneOf(speaker)))).length;
    if (count === others.length || performance.now() > end) return count;
  }
}

/** Without the server, but not without the network. */
async function gapWithoutServer(pages) {
  for (const page of pages) await page.context().setOffline(true);
  const gaps = await Promise.all(pages.map((page) => longestGap(page, awayMilliseconds)));
  for (const page of pages) await page.context().setOffline(false);
  return Math.max(...gaps);
}

function show(value) {
  return Number(value.toFixed(value < 10 ? 3 : 0));
}

function note(figure, values) {
  if (values.length === 0) return;
  lines.push({
    figure,
    median: show(median(values)),
    p95: show(percentile(values, 95)),
    best: show(Math.min(...values)),
    runs: values.length,
  });
}

/** The page of a member whose next press joins the call. */
async function ready(stream, member) {
  const context = await browser.newContext({ baseURL: product.url, locale: 'ja-JP' });
  await context.request.post('/api/session', { data: { email: callers[member] }, headers: { Origin: product.url } });
  await installProbe(context, member);
  const page = await context.newPage();
  // Eight members draw their screens on the same processors.
  page.setDefaultTimeout(120_000);
  await openStreams(page);
  await rowOf(page, stream).click();
  const main = page.getByRole('main');
  await main
    .getByRole('button', { name: member === 0 ? '音声通話' : '参加する', exact: true })
    .first()
    .click();
  const button = page.getByRole('dialog').getByRole('button', { name: member === 0 ? '通話を始める' : '参加する', exact: true });
  await button.and(page.locator(':not([aria-disabled=true])')).waitFor();
  return { page, button };
}

async function join(stream, member) {
  const { page, button } = await ready(stream, member);
  await button.click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return page;
}

/** From the press until the newcomer hears the tones of all others. */
async function timed(times, stream, pages) {
  const { page, button } = await ready(stream, pages.length);
  const start = performance.now();
  await button.click();
  await until(async () => {
    const peaks = await heard(page);
    return pages.every((_, member) => peaks.some(isTone(toneOf(member))));
  });
  times.push(performance.now() - start);
  return { page };
}

async function enableCamera([page, other], times) {
  const start = performance.now();
  await press(page, 'カメラを入れる');
  await until(async () => (await sum(other, 'cameraFrames')) > 0);
  times.push(performance.now() - start);
}

async function press(page, name) {
  await page.getByRole('button', { name, exact: true }).click();
}

/** All others' cameras are seen. */
async function growFromAll(page, others) {
  const frames = async () => (await received(page)).links.map(({ cameraFrames }) => cameraFrames);
  const before = await frames();
  await until(async () => (await frames()).filter((count, index) => count > before[index]).length === others);
}

async function sum(page, what) {
  return (await received(page)).links.reduce((total, link) => total + link[what], 0);
}

async function until(holds) {
  const end = performance.now() + 30_000;
  while (!(await holds())) if (performance.now() > end) throw new Error('nothing happened for 30 seconds');
}

/** The processor time of the browser in the next seconds, for each of the links that end at a member. */
async function share(shares, count, ofServer) {
  const before = { browser: processorOf(server.process().pid), server: processorOf(product.pid), at: performance.now() };
  await new Promise((resolve) => setTimeout(resolve, measuredSeconds * 1000));
  const seconds = (performance.now() - before.at) / 1000;
  shares.push((processorOf(server.process().pid) - before.browser) / seconds / (count * (count - 1)));
  ofServer.push((processorOf(product.pid) - before.server) / seconds);
}

/** Seconds that a process and all below it have used. */
function processorOf(root) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf);
  const below = (pid) => [pid, ...processes.filter(({ parent }) => parent === pid).flatMap((each) => below(each.pid))];
  const tree = new Set(below(root));
  return processes.reduce((sum, { pid, ticks }) => sum + (tree.has(pid) ? ticks : 0), 0) / clockTicks;
}

function statOf(name) {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch (error) {
    // The process has ended meanwhile.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  }
}
