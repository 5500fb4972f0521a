/*
 * A stream with 100,000 messages, all loaded in the browser. Sending them and fetching 2,000 pages would take minutes and is
 * not measured here. So 23 are sent, the others are copies of their rows in the database, and a route enlarges the pages.
 * The last page has its normal size.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freshPage, loadOlder, openBare, openStream, openStreams } from './page.mjs';
import { apiOf, kinds, makeStream, reader, say, speakers, textOf } from './product.mjs';

const stream = '長い歴史';
const count = 100_000;
const largePage = 5000;
const lastPage = 50;

export async function longHistory(browser, { url, dataDirectory }, log) {
  await makeHistory(url, dataDirectory);
  const page = await freshPage(browser, url);
  await openStreams(page);
  const shortHeap = await heapOf(page);
  await loadAllButLast(page, log);
  const longTasks = await longTasksWhileScrolling(page, page.getByRole('log'));
  const drift = await driftOfLastPage(page);
  const heap = await heapOf(page);
  await page.context().close();
  return { longTasks, bareLongTasks: await longTasksOfBarePage(browser, url), drift, heap, shortHeap };
}

/** The reader joins last, so that no message is unread. */
async function makeHistory(url, dataDirectory) {
  const apis = await Promise.all(speakers.map((speaker) => apiOf(url, speaker)));
  await makeStream(apis[0], stream, speakers);
  const ids = [];
  for (let number = 0; number < kinds; number += 1) ids.push(await say(apis[number % apis.length], stream, textOf(number)));
  copyRows(join(dataDirectory, 'chat', 'chat.db'), ids[0]);
  await makeStream(apis[0], stream, [reader]);
}

function copyRows(file, firstId) {
  const database = new DatabaseSync(file);
  const sent = database.prepare('SELECT * FROM message WHERE id >= ? ORDER BY id').all(firstId);
  const columns = Object.keys(sent[0]).filter((name) => name !== 'id');
  const insert = database.prepare(`INSERT INTO message (${columns.join()}) VALUES (${columns.map((name) => `:${name}`).join()})`);
  database.exec('BEGIN');
  for (let number = kinds; number < count; number += 1) {
    const { id: _, ...row } = sent[number % kinds];
    insert.run({ ...row, content: textOf(number) });
  }
  database.exec('COMMIT');
  database.close();
}

async function loadAllButLast(page, log) {
  let left = count - lastPage;
  await page.route(/\/messages\?.*narrow/, (route) => {
    const address = new URL(route.request().url());
    const ofStream = address.searchParams.get('narrow').includes(stream);
    if (!ofStream) return route.continue();
    const wanted = Math.min(largePage, left);
    left -= wanted;
    address.searchParams.set('num_before', String(wanted));
    return route.continue({ url: address.href });
  });
  await openStream(page, stream);
  for (let pages = 1; pages < count / largePage; pages += 1) await loadOlder(page);
  log('all but the last page are loaded …');
  await page.unroute(/\/messages\?.*narrow/);
}

/** Tasks of more than 50 ms while the wheel scrolls at the end, in the middle and near the start. */
async function longTasksWhileScrolling(page, scroller) {
  await page.evaluate(() => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' });
    Object.assign(globalThis, { benchTasks: tasks });
  });
  const size = await scroller.evaluate(({ scrollHeight }) => scrollHeight);
  let tasks = 0;
  for (const place of [0, 0.5, 0.98]) {
    await scroller.evaluate((element, top) => element.scrollTo({ top, behavior: 'instant' }), -size * place);
    await page.waitForTimeout(1000);
    await page.evaluate(() => globalThis.benchTasks.splice(0));
    await scroller.hover();
    for (const pixels of [-240, 240]) {
      for (let turn = 0; turn < 120; turn += 1) await page.mouse.wheel(0, pixels);
    }
    await page.waitForTimeout(300);
    tasks += await page.evaluate(() => globalThis.benchTasks.length);
  }
  return tasks;
}

async function longTasksOfBarePage(browser, url) {
  const page = await freshPage(browser, url);
  await openBare(page);
  await page.evaluate(
    (lines) => {
      const log = document.createElement('pre');
      log.textContent = lines;
      log.style.cssText = 'height: 700px; overflow-y: auto; display: flex; flex-direction: column-reverse';
      document.body.replaceChildren(log);
    },
    Array.from({ length: 1000 }, (_, number) => textOf(number)).join('\n'),
  );
  const tasks = await longTasksWhileScrolling(page, page.locator('pre'));
  await page.context().close();
  return tasks;
}

/** Pixels that visible messages move when the last page arrives above them. */
async function driftOfLastPage(page) {
  const { promise: released, resolve: release } = Promise.withResolvers();
  await page.route(/\/messages\?.*narrow/, async (route) => {
    await released;
    return route.continue();
  });
  const log = page.getByRole('log');
  const request = page.waitForRequest(/\/messages\?.*num_before=50/);
  await log.press('Home');
  await request;
  await page.waitForTimeout(1000);
  const before = await topsOfMessages(log);
  const height = await log.evaluate(({ scrollHeight }) => scrollHeight);
  release();
  await page.waitForFunction((least) => document.querySelector('[role=log]').scrollHeight > least, height);
  await page.waitForTimeout(1000);
  const after = await topsOfMessages(log);
  return Math.max(...Object.keys(before).map((number) => Math.abs((after[number] ?? Infinity) - before[number])));
}

function topsOfMessages(log) {
  return log.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('article')].map((article) => [article, article.getBoundingClientRect()]);
    const whole = rows.filter(([, place]) => place.top >= top && place.bottom <= bottom);
    return Object.fromEntries(whole.map(([article, place]) => [/#\d+/.exec(article.textContent)[0], place.top]));
  });
}

/** MB after a garbage collection. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}
