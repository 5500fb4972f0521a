// A member's browser and their actions in it.
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findOrInstallBrowser } from '../scripts/browser.mjs';

export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launch() {
  return chromium.launch({ executablePath: findOrInstallBrowser(), args: flags });
}

/** Without caches and cookies. @param slower the factor of the processor throttling */
export async function freshPage(browser, url, { slower = 1 } = {}) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.addInitScript({ path: join(import.meta.dirname, 'pageTiming.js') });
  await slowDown(page, slower);
  return page;
}

export async function slowDown(page, rate) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** A page of the same server without scripts, as a floor. */
export const barePath = '/nothing-is-here';

export async function openBare(page) {
  await page.goto(barePath);
}

export async function openStreams(page) {
  await page.goto('/#/streams');
  await page.getByRole('list', { name: 'ストリームの一覧' }).waitFor();
}

export const rowOf = (page, stream) =>
  page
    .getByRole('list', { name: 'ストリームの一覧' })
    .getByRole('link')
    .filter({ has: page.getByText(stream, { exact: true }) });

export async function openStream(page, stream) {
  await rowOf(page, stream).click();
  await page.getByRole('heading', { level: 2 }).getByText(stream, { exact: true }).waitFor();
  await page.getByRole('article').last().waitFor();
}

export async function readAll(page, stream) {
  const unread = rowOf(page, stream).getByText(/^\[\d+\]$/);
  while ((await unread.count()) > 0) {
    await page.getByRole('log').press('End');
    await page.waitForTimeout(300);
  }
}

export const olderPages = /\/messages\?.*anchor=\d.*num_before=[1-9]/;

/** @returns the address of the page of messages */
export async function loadOlder(page) {
  const arrived = page.waitForResponse(olderPages);
  await page.getByRole('log').press('Home');
  await (await arrived).finished();
  await page.getByText('前のメッセージを読み込んでいます…').waitFor({ state: 'hidden' });
  return (await arrived).url();
}

/** @returns a function that clicks by the mouse alone, because the work of a locator would be measured, too */
export async function clickerOf(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  await locator.page().mouse.move(x + width / 2, y + height / 2);
  return () => locator.page().mouse.click(x + width / 2, y + height / 2);
}

/** Milliseconds from the event that `act` causes to the frame that fulfils a condition of pageTiming.js. */
export async function timeOf(page, type, condition, act) {
  // The page stores the promise; awaiting it here would block `act`.
  await page.evaluate(
    ([kind, ...what]) => Object.assign(globalThis, { timing: globalThis.bench.after(kind, ...what) }),
    [type, ...condition],
  );
  await act();
  return page.evaluate(() => globalThis.timing);
}
