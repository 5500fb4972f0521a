/*
 * A reader scrolls back through a stream with 100,000 messages. Sending them and fetching 2,000 pages would take minutes and is
 * not measured here. So 23 are sent, the others are copies of their rows in the database, and a route enlarges the pages.
 * Near the places of the measurements they have their normal size.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freshPage, loadOlder, olderPages, openBare, openStream, openStreams } from './page.mjs';
import { insertSent } from './history/dataFolder.mjs';
import { apiOf, kinds, makeStream, reader, say, speakers, textOf } from './product.mjs';

const stream = '長い歴史';
const count = 100_000;
const largePage = 1000;
/** Messages before the last place of the measurements. */
const nearStart = 1000;

export async function longHistory(browser, { url, dataDirectory }, log) {
  const firstId = await makeHistory(url, dataDirectory);
  const page = await freshPage(browser, url);
  await openStreams(page);
  const shortHeap = await heapOf(page);
  await openStream(page, stream);
  const messages = page.getByRole('log');
  let longTasks = await longTasksWhileScrolling(page, messages);
  for (const older of [count / 2, nearStart]) {
    await readBack(page, firstId + older);
    log(`${older} older messages are left …`);
    longTasks += await longTasksWhileScrolling(page, messages);
  }
  const drift = await driftOfPage(page);
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
  return ids[0];
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
  database.exec(insertSent);
  database.exec('COMMIT');
  database.close();
}

/** Scrolls back until the list begins with the message of this id. The ids of the stream have no gaps. */
async function readBack(page, id) {
  await page.route(olderPages, (route) => {
    const address = new URL(route.request().url());
    const wanted = Math.min(largePage, Number(address.searchParams.get('anchor')) - id);
    address.searchParams.set('num_before', String(wanted));
    return route.continue({ url: address.href });
  });
  for (let oldest = Infinity; oldest > id;) {
    const { searchParams } = new URL(await loadOlder(page));
    oldest = Number(searchParams.get('anchor')) - Number(searchParams.get('num_before'));
  }
  await page.unroute(olderPages);
}

/** Tasks of more than 50 ms while the wheel scrolls. */
async function longTasksWhileScrolling(page, scroller) {
  await page.evaluate(() => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask' });
    Object.assign(globalThis, { benchTasks: tasks });
  });
  await page.waitForTimeout(1000);
  await page.evaluate(() => globalThis.benchTasks.splice(0));
  await scroller.hover();
  for (const pixels of [-240, 240]) {
    for (let turn = 0; turn < 120; turn += 1) await page.mouse.wheel(0, pixels);
  }
  await page.waitForTimeout(300);
  return page.evaluate(() => globalThis.benchTasks.length);
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
  const scroller = page.locator('pre');
  const size = await scroller.evaluate(({ scrollHeight }) => scrollHeight);
  let tasks = 0;
  for (const place of [0, 0.5, 0.98]) {
    await scroller.evaluate((element, top) => element.scrollTo({ top, behavior: 'instant' }), -size * place);
    tasks += await longTasksWhileScrolling(page, scroller);
  }
  await page.context().close();
  return tasks;
}

/** Pixels that visible messages move when a page arrives above them. */
async function driftOfPage(page) {
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
  const arrived = page.waitForResponse(olderPages);
  release();
  await (await arrived).finished();
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
