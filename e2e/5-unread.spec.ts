import type { BrowserContextOptions, Page } from '@playwright/test';
import { type Author, authorOf } from './author.ts';
import { checkScreen } from './checkScreen.ts';
import { type Product, expect, signIn, test } from './product.ts';
import { department, field, hold, message, messages, rail, scriptsOnDemand, streamRow, titleOf, write } from './screen.ts';

const address = (name: string) => `${name}@engawa.example`;

/** A private stream in which 加藤 has sent messages to 伊藤. */
async function stream(product: Product, name: string, count: number): Promise<Author> {
  const kato = await authorOf(product, address('kato'));
  await kato.createStream(name, [address('kato'), address('ito')]);
  await sends(kato, name, 1, count);
  return kato;
}

/** @returns The id of the last message. */
async function sends(kato: Author, to: string, from: number, count: number): Promise<number> {
  let id = 0;
  for (let number = from; number < from + count; number += 1) id = await kato.send(to, `連絡その ${number} です`);
  return id;
}

const ito = (browser: Parameters<typeof signIn>[0], product: Product, options?: BrowserContextOptions) =>
  signIn(browser, product, address('ito'), options);
const line = (page: Page) => page.getByRole('separator', { name: '新着メッセージ' });
const belowLine = (page: Page) => line(page).locator('xpath=following::article[1]');
const said = (page: Page, number: number) => message(page, `連絡その ${number} です`);
const total = async (page: Page) => Number(/\((\d+)\)/.exec(await titleOf(page))?.[1] ?? 0);
const toNewest = (page: Page) => page.getByRole('button', { name: /^最新のメッセージへ/ });

/** Pretends that the window lost the focus, until the page is reloaded. */
const turnsAway = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });

async function opens(page: Page, name: string): Promise<void> {
  await rail(page, 'ストリーム').click();
  await streamRow(page, name).click();
  await expect(field(page)).toBeVisible();
}

test('[R2.20.1, R4.6] A stream opens at its first unread message, and only visible messages are marked as read', async ({
  browser,
  product,
}) => {
  await stream(product, '続きから読む', 40);
  const page = await ito(browser, product);
  await opens(page, '続きから読む');
  await expect(line(page)).toBeInViewport();
  await expect(said(page, 1)).toBeInViewport();
  await expect(said(page, 40)).not.toBeInViewport();
  await expect(toNewest(page)).toHaveAccessibleName(/新着 \d+ 件/);
  await expect(streamRow(page, '続きから読む')).toContainText(/\[(2\d|3\d)\]/);
  await page.getByRole('log').hover();
  await page.mouse.wheel(0, 600);
  await expect(streamRow(page, '続きから読む')).toContainText(/\[(1\d|2\d)\]/);
  await toNewest(page).click();
  await expect(said(page, 40)).toBeInViewport();
  await expect(streamRow(page, '続きから読む')).not.toContainText('[');
  await expect(toNewest(page)).toBeHidden();
  await page.getByRole('log').press('Home');
  await expect(line(page)).toBeInViewport();
  await opens(page, '雑談・縁側');
  await opens(page, '続きから読む');
  await expect(said(page, 40)).toBeInViewport();
  await expect(line(page)).toHaveCount(0);
});

test('[R4.6] Unread messages that fit the window are marked as read at once, and so are messages that arrive at the end', async ({
  browser,
  product,
}) => {
  const kato = await stream(product, 'すぐ読む', 2);
  const page = await ito(browser, product);
  await opens(page, 'すぐ読む');
  await expect(line(page)).toBeInViewport();
  await expect(streamRow(page, 'すぐ読む')).not.toContainText('[');
  await sends(kato, 'すぐ読む', 3, 1);
  await expect(said(page, 3)).toBeInViewport();
  await expect(streamRow(page, 'すぐ読む')).not.toContainText('[');
  await expect(messages(page)).toHaveCount(3);
});

test('[R4.6] No message is marked as read while the window has no focus or the member is idle', async ({ browser, product }) => {
  const kato = await stream(product, '離席中', 1);
  const page = await ito(browser, product);
  await opens(page, '離席中');
  await expect(streamRow(page, '離席中')).not.toContainText('[');
  await turnsAway(page);
  await sends(kato, '離席中', 2, 2);
  await expect(said(page, 3)).toBeVisible();
  await expect(streamRow(page, '離席中')).toContainText('[2]');
  await page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
  await expect(streamRow(page, '離席中')).not.toContainText('[');
  await expect(belowLine(page)).toContainText('連絡その 2 です');

  await opens(page, '離席中');
  // Chromium counts an `evaluate` or `expect` of Playwright as a user gesture, which the page would take for an input of the member.
  await page.addInitScript(() => Object.defineProperty(UserActivation.prototype, 'hasBeenActive', { value: false }));
  await page.clock.install();
  await page.reload();
  await expect(said(page, 3)).toBeVisible();
  await sends(kato, '離席中', 4, 1);
  await expect(said(page, 4)).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(streamRow(page, '離席中')).toContainText('[1]');
  await page.getByRole('log').hover();
  await expect(streamRow(page, '離席中')).not.toContainText('[');

  await page.clock.fastForward(61_000);
  await sends(kato, '離席中', 5, 1);
  await expect(said(page, 5)).toBeVisible();
  await expect(streamRow(page, '離席中')).toContainText('[1]');
  await page.getByRole('log').hover({ position: { x: 40, y: 40 } });
  await expect(streamRow(page, '離席中')).not.toContainText('[');
});

test('[R4.6] Messages are marked as read for a member who opened their stream before the code for reading was loaded', async ({
  browser,
  product,
}) => {
  const page = await ito(browser, product);
  await opens(page, '雑談・縁側');
  await stream(product, '早い一押し', 1);
  await expect(streamRow(page, '早い一押し')).toContainText('[');
  const release = await hold(page, await scriptsOnDemand(page));
  await page.reload();
  await streamRow(page, '早い一押し').click();
  await expect(said(page, 1)).toBeInViewport();
  release();
  await expect(streamRow(page, '早い一押し')).not.toContainText('[');
});

test('[R4.6] Messages that were visible too briefly are not marked as read', async ({ browser, product }) => {
  const [long, short] = ['通り過ぎる・長い', '通り過ぎる・短い'] as const;
  // Another stream is open, because the page would open the stream with the newest message and mark it as read.
  const page = await ito(browser, product);
  await opens(page, '雑談・縁側');
  await stream(product, long, 40);
  await stream(product, short, 2);
  await expect(streamRow(page, long)).toContainText('[41]');
  await expect(streamRow(page, short)).toContainText('[3]');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 5000);
  const opensFor = async (name: string, milliseconds: number) => {
    await streamRow(page, name).click();
    await expect(said(page, 1)).toBeInViewport();
    await page.clock.runFor(milliseconds);
  };
  for (let turn = 0; turn < 3; turn += 1) {
    await opensFor(long, 300);
    await opensFor(short, 300);
  }
  await expect(streamRow(page, long)).toContainText('[41]');
  await expect(streamRow(page, short)).toContainText('[3]');

  await opensFor(short, 1000);
  await expect(streamRow(page, short)).not.toContainText('[');
  await opensFor(long, 1000);
  await expect(streamRow(page, long)).toContainText(/\[[23]\d\]/);
  await expect(streamRow(page, long)).not.toContainText('[41]');
});

test('[R4.6] Navigation, page title and tree show the same unread counts on two devices and after a reload', async ({
  browser,
  product,
}) => {
  const kato = await authorOf(product, address('kato'));
  const devices = [await ito(browser, product), await ito(browser, product)];
  const [here, there] = devices;
  if (!here || !there) throw new Error('a device is missing');
  for (const page of devices) {
    await opens(page, '雑談・縁側');
    await expect(streamRow(page, '雑談・縁側')).not.toContainText('[');
  }
  const begin = await total(here);
  await sends(kato, 'デザイン室', 1, 2);
  for (const page of devices) {
    await expect.poll(() => total(page)).toBe(begin + 2);
    const tab = page.getByRole('tab', { name: `未読 ${begin + 2} 件` });
    await expect(tab.locator('[data-count]')).toHaveAttribute('data-count', String(begin + 2));
    await rail(page, '組織').click();
    await expect(department(page, 'デザイン室')).toContainText('[2]');
    await department(page, '開発本部').focus();
    await page.keyboard.press('ArrowLeft');
    await expect(department(page, '開発本部')).toContainText(/\[\d+\]/);
    await page.keyboard.press('ArrowRight');
  }
  // With the focus, the page would mark the messages as read, because it opens the stream with the newest message.
  await there.addInitScript(() => (document.hasFocus = () => false));
  await there.reload();
  await expect(department(there, 'デザイン室')).toContainText('[2]');
  await expect.poll(() => total(there)).toBe(begin + 2);

  await department(here, 'デザイン室').click();
  await write(here, '確認しました');
  for (const page of devices) {
    await expect(department(page, 'デザイン室')).not.toContainText('[');
    await expect.poll(() => total(page)).toBe(begin);
  }
  await there.reload();
  await expect.poll(() => total(there)).toBe(begin);
});

test('[R4.6, R2.2] A member who opens a link to an old message and goes back marks only visible messages as read', async ({
  browser,
  product,
}) => {
  const name = '跳んで戻る';
  const kato = await stream(product, name, 59);
  const id = await sends(kato, name, 60, 1);
  await sends(kato, name, 61, 60);
  const page = await ito(browser, product);
  const expectUnread = async (first: number) => {
    await expect(line(page)).toBeInViewport();
    await expect(said(page, 120)).not.toBeInViewport();
    await expect(toNewest(page)).toHaveAccessibleName(/新着 \d+ 件/);
    await expect(belowLine(page)).toContainText(`連絡その ${first} です`);
  };
  await turnsAway(page);
  await rail(page, 'ストリーム').click();
  const address = await streamRow(page, name).getAttribute('href');
  const follow = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);

  await page.goto(`/${address}/message/99999999`);
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(/^そのメッセージは見つかりません/);
  await expectUnread(1);
  await page.getByRole('log').hover();
  await expect(streamRow(page, name)).toContainText(/\[1[01]\d\]/);
  const shown = 120 - Number(/\[(\d+)\]/.exec(await streamRow(page, name).innerText())?.[1]);
  expect(shown).toBeGreaterThan(0);

  await follow(`${address}/message/${id}`);
  await expect(said(page, 60)).toBeInViewport();
  await page.goBack();
  await expectUnread(1);
  await expect(said(page, 1)).toBeInViewport();
  await page.goForward();
  await expect(said(page, 60)).toBeInViewport();
  await streamRow(page, name).click();
  await expectUnread(shown + 1);
  await expect(streamRow(page, name)).toContainText('[');
  await checkScreen(page, '42b chat, reading on');
});

test('[R4.6] No message is marked as read while the page loads the message of a link', async ({ browser, product }) => {
  const name = '遠くへ跳ぶ';
  // Another stream is open, because the page would open this one and mark it as read.
  const page = await ito(browser, product);
  await opens(page, '雑談・縁側');
  const kato = await stream(product, name, 59);
  const id = await sends(kato, name, 60, 1);
  await sends(kato, name, 61, 60);
  await expect(streamRow(page, name)).toContainText('[121]');
  const address = await streamRow(page, name).getAttribute('href');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 5000);
  await streamRow(page, name).click();
  await expect(said(page, 1)).toBeInViewport();
  await page.clock.runFor(100);
  await toNewest(page).click();
  await expect(said(page, 120)).toBeInViewport();
  await streamRow(page, '雑談・縁側').click();
  await expect(said(page, 120)).toHaveCount(0);

  const asked = page.waitForRequest(/anchor=\d+/);
  const letGo = await hold(page, '**/api/v1/messages?*');
  await page.evaluate((hash) => void (location.hash = hash), `${address}/message/${id}`);
  await asked;
  await page.clock.runFor(2000);
  await expect(streamRow(page, name)).toContainText('[121]');
  letGo();
  await expect(said(page, 60)).toBeInViewport();
  await expect(streamRow(page, name)).toContainText('[121]');
});
