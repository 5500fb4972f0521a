/*
 * A stream of 100,000 messages, all of them in the browser. To say them takes minutes and to fetch them 2,000 pages, and neither
 * is what is measured: so 23 are said, the others are written into the database as copies of their rows, and the pages are made
 * wider on their way to the server. Everything else is the product as it is, and the last page has its own size again.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freshPage, loadOlder, openBare, openStream, openStreams } from './page.mjs';
import { apiOf, kinds, makeStream, reader, say, speakers, textOf } from './product.mjs';

const stream = '長い歴史';
const count = 100_000;
const wide = 5000;
/** So many messages are left for the page whose arrival is looked at. */
const lastPage = 50;

/** @returns {Promise<{ longTasks: number, bareLongTasks: number, drift: number, heap: number, shortHeap: number }>} */
export async function longHistory(browser, { url, dataDirectory }, tell) {
  await makeHistory(url, dataDirectory);
  const page = await freshPage(browser, url);
  await openStreams(page);
  const shortHeap = await heapOf(page);
  await loadAllButLast(page, tell);
  const longTasks = await longTasksWhileScrolling(page, page.getByRole('log'));
  const drift = await driftOfLastPage(page);
  const heap = await heapOf(page);
  await page.context().close();
  return { longTasks, bareLongTasks: await longTasksOfBarePage(browser, url), drift, heap, shortHeap };
}

/** The reader joins after everything is said, so that none of it is unread. */
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
  const said = database.prepare('SELECT * FROM message WHERE id >= ? ORDER BY id').all(firstId);
  const columns = Object.keys(said[0]).filter((name) => name !== 'id');
  const insert = database.prepare(`INSERT INTO message (${columns.join()}) VALUES (${columns.map((name) => `:${name}`).join()})`);
  database.exec('BEGIN');
  for (let number = kinds; number < count; number += 1) {
    const { id: _, ...row } = said[number % kinds];
    insert.run({ ...row, content: textOf(number) });
  }
  database.exec('COMMIT');
  database.close();
}

async function loadAllButLast(page, tell) {
  let left = count - lastPage;
  await page.route(/\/messages\?.*narrow/, (route) => {
    const address = new URL(route.request().url());
    const ofStream = address.searchParams.get('narrow').includes(stream);
    if (!ofStream) return route.continue();
    const wanted = Math.min(wide, left);
    left -= wanted;
    address.searchParams.set('num_before', String(wanted));
    return route.continue({ url: address.href });
  });
  await openStream(page, stream);
  for (let pages = 1; pages < count / wide; pages += 1) await loadOlder(page);
  tell('all of them but the last page are in the browser …');
  await page.unroute(/\/messages\?.*narrow/);
}

/** At the end, in the middle and near the start, some windows up and down by the wheel. Each is of more than 50 ms. */
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

/** The same by a page of a thousand lines without a script. */
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

/** Pixels. The reader waits at the start of what is loaded while the last page is on its way. */
async function driftOfLastPage(page) {
  const { promise: released, resolve: release } = Promise.withResolvers();
  await page.route(/\/messages\?.*narrow/, async (route) => {
    await released;
    return route.continue();
  });
  const log = page.getByRole('log');
  const asked = page.waitForRequest(/\/messages\?.*num_before=50/);
  await log.press('Home');
  await asked;
  await page.waitForTimeout(1000);
  const before = await places(log);
  const height = await log.evaluate(({ scrollHeight }) => scrollHeight);
  release();
  await page.waitForFunction((least) => document.querySelector('[role=log]').scrollHeight > least, height);
  await page.waitForTimeout(1000);
  const after = await places(log);
  return Math.max(...Object.keys(before).map((number) => Math.abs((after[number] ?? Infinity) - before[number])));
}

/** Where on the screen each message begins that is wholly shown. */
function places(log) {
  return log.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('article')].map((article) => [article, article.getBoundingClientRect()]);
    const whole = rows.filter(([, place]) => place.top >= top && place.bottom <= bottom);
    return Object.fromEntries(whole.map(([article, place]) => [/#\d+/.exec(article.textContent)[0], place.top]));
  });
}

/** MB of JavaScript that is still in use. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}
