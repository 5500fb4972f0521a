import type { Page } from '@playwright/test';
import { authorOf } from './author.ts';
import { atRest, expectStill, openAt, textOf, watch, wheel } from './messageList.ts';
import { expect, type Product, withStory } from './product.ts';
import { field, message, sendButton } from './screen.ts';

const reader = 'tanaka@engawa.example';
const writer = 'sato@engawa.example';
const stream = '長く開いたままの部屋';
const storyLength = 2200;
const sendsAtOnce = 50;

const test = withStory(async (product): Promise<Product> => {
  const author = await authorOf(product, writer);
  await author.createStream(stream, [reader, writer]);
  for (let sent = 0; sent < storyLength; sent += sendsAtOnce) {
    await Promise.all(Array.from({ length: sendsAtOnce }, (_, index) => author.send(stream, textOf(sent + index + 1))));
  }
  return product;
});

const olderPages = /\/messages\?.*anchor=\d.*num_before=[1-9]/;
const newerPages = /\/messages\?.*anchor=\d.*num_after=[1-9]/;

/** Loads a thousand messages above the loaded ones instead of fifty. @returns how to let the page arrive. */
async function largeOlderPage(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(olderPages, async (route) => {
    await promise;
    await route.continue({ url: route.request().url().replace('num_before=50', 'num_before=1000') });
  });
  return async () => {
    const arrived = page.waitForResponse(olderPages);
    resolve();
    await (await arrived).finished();
    await expect(page.getByText('前のメッセージを読み込んでいます…')).toBeHidden();
    await page.unroute(olderPages);
  };
}

const heightOf = (page: Page) => page.getByRole('log').evaluate(({ scrollHeight }) => scrollHeight);

test('[R4.10, R9.2] No message moves when messages far from the reader are dropped, and they load again on the way to the newest', async ({
  browser,
  story,
}) => {
  const page = await openAt(browser, story, reader, stream);
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { result: 'error', msg: '', code: 'BAD_REQUEST' } })
      : route.continue(),
  );
  await field(page).fill('届かない言葉');
  await sendButton(page).click();
  const unsent = message(page, '届かない言葉');
  await expect(unsent).toBeInViewport();

  const first = await largeOlderPage(page);
  await wheel(page, -500);
  await atRest(page);
  await first();
  const second = await largeOlderPage(page);
  await page.getByRole('log').press('Home');
  await atRest(page);
  const before = await heightOf(page);
  const stop = await watch(page);
  await second();
  await atRest(page);
  expectStill(await stop());
  // More messages were dropped than arrived.
  expect(await heightOf(page)).toBeLessThan(before);

  const newer = page.waitForRequest(newerPages);
  await page.getByRole('log').press('End');
  await newer;
  await page.getByRole('button', { name: /^最新のメッセージへ/ }).click();
  await expect(unsent).toBeInViewport();
  await expect(message(page, `第${storyLength}話`)).toHaveCount(1);
});

test('[R4.10, R9.2] A list that stays at its newest message drops old messages without moving, and loads them again on scrolling', async ({
  browser,
  story,
}) => {
  const page = await openAt(browser, story, reader, stream);
  const first = await largeOlderPage(page);
  await wheel(page, -500);
  await atRest(page);
  await first();
  const second = await largeOlderPage(page);
  await page.getByRole('log').press('Home');
  await atRest(page);
  await page.getByRole('log').press('End');
  await atRest(page);
  const before = await heightOf(page);
  const stop = await watch(page);
  await second();
  await atRest(page);
  expectStill(await stop());
  expect(await heightOf(page)).toBeLessThanOrEqual(before);

  const older = page.waitForRequest(olderPages);
  await page.getByRole('log').press('Home');
  await older;
  await page.getByRole('log').press('End');
  await expect(message(page, `第${storyLength}話`)).toBeInViewport();
});
