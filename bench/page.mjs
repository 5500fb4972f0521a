// A member's browser, and what they do in it.
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findOrGetBrowser } from '../scripts/browser.mjs';

export function launch() {
  return chromium.launch({
    executablePath: findOrGetBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A page of a browser that has never been here. `slower`: how many times slower than this machine its processor is. */
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

/** A page of the same server that has no script and next to no style: what the machine and the browser take by themselves. */
export async function openBare(page) {
  await page.goto('/nothing-is-here');
}

/** On the main screen, with the list of streams beside the chat. */
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

/** A stream opens where it has not been read: to its end, until nothing in it is unread. */
export async function readAll(page, stream) {
  const unread = rowOf(page, stream).getByText(/^\[\d+\]$/);
  while ((await unread.count()) > 0) {
    await page.getByRole('log').press('End');
    await page.waitForTimeout(300);
  }
}

/** To the start of what is loaded, until the messages before it have been laid out. */
export async function loadOlder(page) {
  const log = page.getByRole('log');
  const before = await log.evaluate(({ scrollHeight }) => scrollHeight);
  await log.press('Home');
  await page.waitForFunction((height) => document.querySelector('[role=log]').scrollHeight > height, before);
}

/** A click by the mouse alone: what a locator does beside it would be measured too. @returns how to click */
export async function clickerOf(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  await locator.page().mouse.move(x + width / 2, y + height / 2);
  return () => locator.page().mouse.click(x + width / 2, y + height / 2);
}

/**
 * Does it, and answers the milliseconds from the event that it makes to the frame that shows what it was for.
 * @param {'click' | 'keydown'} type
 * @param {string[]} condition a name and its words, of pageTiming.js
 */
export async function timeOf(page, type, condition, act) {
  // The page keeps the promise: to wait for it here would be to act never.
  await page.evaluate(
    ([kind, ...what]) => Object.assign(globalThis, { timing: globalThis.bench.after(kind, ...what) }),
    [type, ...condition],
  );
  await act();
  return page.evaluate(() => globalThis.timing);
}
