/** What the tests stand on: a page that is used again is as good as a new one. */
import type { Page } from '@playwright/test';
import { expect, signedInPage, test } from './product.ts';
import { startProduct } from './server.ts';

test.describe.configure({ mode: 'serial' });

const me = 'tanaka@engawa.example';
const late = '遅すぎた知らせ';
let used: Page;
const many: Page[] = [];

test('a page is used for one thing', async ({ browser, product }) => {
  used = await signedInPage(browser, product, me);
  await used.goto('/');
  await used.evaluate(async () => {
    localStorage.setItem('left', 'behind');
    sessionStorage.setItem('left', 'behind');
    await new Promise((made) => {
      indexedDB.open('left-behind').onsuccess = made;
    });
    await caches.open('left-behind');
  });
  await used.context().addCookies([{ name: 'left', value: 'behind', url: product.url }]);
  await used.context().newPage();
  // It is held until the page is left, and never arrives.
  await used.route('**/api/v1/messages', async () => {});
  await used.evaluate((content) => {
    const body = new URLSearchParams({ type: 'stream', to: 'プロダクト開発部', topic: 'stream events', content });
    void fetch('/api/v1/messages', { method: 'POST', body });
    // No route knows of these.
    for (const moment of ['online', 'pagehide']) {
      addEventListener(moment, () => void fetch(`/api/v1/messages?${moment}`, { method: 'POST', body, keepalive: true }));
    }
  }, late);
  await used.context().setOffline(true);
  await used.setViewportSize({ width: 390, height: 844 });
  const devTools = await used.context().newCDPSession(used);
  await devTools.send('Emulation.setEmulatedMedia', { media: 'print' });
  expect(await used.evaluate(() => matchMedia('print').matches)).toBe(true);
  await used.mouse.move(100, 100);
  await used.mouse.down();
  expect(await used.evaluate(() => document.querySelectorAll(':hover').length)).toBeGreaterThan(0);
});

test('and for another, with nothing left of the first', async ({ browser, product }) => {
  const page = await signedInPage(browser, product, me);
  expect(page === used).toBe(true);
  expect(page.context().pages()).toHaveLength(1);
  await page.goto('/');
  await expect(page.getByRole('log')).toBeVisible();
  expect(page.viewportSize()).toEqual({ width: 1440, height: 900 });
  const left = await page.evaluate(async () => ({
    local: localStorage.getItem('left'),
    session: sessionStorage.getItem('left'),
    databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'left-behind'),
    caches: await caches.keys(),
    under: document.querySelectorAll(':hover').length,
    pressed: document.querySelectorAll(':active').length,
    printed: matchMedia('print').matches,
  }));
  expect(left).toEqual({ local: null, session: null, databases: [], caches: [], under: 0, pressed: 0, printed: false });
  expect((await page.context().cookies()).filter(({ name }) => name === 'left')).toEqual([]);
  const newest = await page.request.get('/api/v1/messages?anchor=newest&num_before=5&num_after=0');
  expect(await newest.text()).toContain('"messages":[{');
  expect(await newest.text()).not.toContain(late);
  page.on('console', () => undefined);
});

test('but not where something was done that lasts', async ({ browser, product }) => {
  const page = await signedInPage(browser, product, me);
  expect(page === used).toBe(false);
  used = page;
});

test('and also where its product has given its place to another', async ({ browser, places }) => {
  const next = await places.product.of('somebody else');
  expect((await signedInPage(browser, next, me)) === used).toBe(true);
  await used.goto('/');
  await expect(used.getByRole('log')).toBeVisible();
});

test('a page whose product ends is left', async ({ browser }) => {
  const product = await startProduct();
  used = await signedInPage(browser, product, me);
  await product.stop();
});

test('and goes with it', () => {
  expect(used.isClosed()).toBe(true);
});

test('many pages are left', async ({ browser, product }) => {
  for (let one = 1; one <= 5; one += 1) many.push(await signedInPage(browser, product, me));
});

test('and as few wait as a test needs', () => {
  expect(many.map((page) => page.isClosed())).toEqual([true, false, false, false, false]);
});
