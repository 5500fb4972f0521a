import type { BrowserContextOptions, Page } from '@playwright/test';
import { type Product, expect, signIn, test } from './product.ts';
import { department, field, hold, message, messages, rail, streamRow, write } from './screen.ts';

type Call = (path: string, form: Readonly<Record<string, string>>) => Promise<Record<string, unknown>>;

const address = (name: string) => `${name}@engawa.example`;

/** A member as another program of theirs speaks for them. */
async function api(product: Product, name: string): Promise<Call> {
  const post = async (path: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${product.url}/api/v1${path}`, { method: 'POST', body: new URLSearchParams(form), headers });
    return answer.json();
  };
  const { api_key: key } = await post('/fetch_api_key', { username: address(name), password: 'demo' }, {});
  return (path, form) => post(path, form, { Authorization: `Basic ${btoa(`${address(name)}:${key}`)}` });
}

/** A private stream of a test's own, in which 加藤 has said so many things to 伊藤. */
async function stream(product: Product, name: string, count: number): Promise<Call> {
  const kato = await api(product, 'kato');
  const principals = JSON.stringify([address('kato'), address('ito')]);
  await kato('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]), principals, invite_only: 'true' });
  await says(kato, name, 1, count);
  return kato;
}

/** @returns what the server has answered to the last of them */
async function says(kato: Call, to: string, from: number, count: number): Promise<Record<string, unknown>> {
  let answer = {};
  for (let number = from; number < from + count; number += 1) {
    answer = await kato('/messages', { type: 'stream', to, topic: 'stream events', content: `連絡その ${number} です` });
  }
  return answer;
}

const ito = (browser: Parameters<typeof signIn>[0], product: Product, options?: BrowserContextOptions) =>
  signIn(browser, product, address('ito'), options);
const line = (page: Page) => page.getByRole('separator', { name: '新着メッセージ' });
/** The first message below it. */
const belowLine = (page: Page) => line(page).locator('xpath=following::article[1]');
const said = (page: Page, number: number) => message(page, `連絡その ${number} です`);
/** What the title says. */
const total = async (page: Page) => Number(/\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
const toNewest = (page: Page) => page.getByRole('button', { name: /^最新のメッセージへ/ });

/** The member turns to another window, until the page is loaded anew or they come back. */
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

test('[R2.20.1, R4.6] a stream opens where reading goes on, and only what is shown is read', async ({ browser, product }) => {
  await stream(product, '続きから読む', 40);
  const page = await ito(browser, product);
  await opens(page, '続きから読む');
  await expect(line(page)).toBeInViewport();
  await expect(said(page, 1)).toBeInViewport();
  await expect(said(page, 40)).not.toBeInViewport();
  await expect(toNewest(page)).toHaveAccessibleName(/新着 \d+ 件/);
  // Some have been seen, and the others still count.
  await expect(streamRow(page, '続きから読む')).toContainText(/\[(2\d|3\d)\]/);
  await page.getByRole('log').hover();
  await page.mouse.wheel(0, 600);
  await expect(streamRow(page, '続きから読む')).toContainText(/\[(1\d|2\d)\]/);
  // The line stays where reading began.
  await toNewest(page).click();
  await expect(said(page, 40)).toBeInViewport();
  await expect(streamRow(page, '続きから読む')).not.toContainText('[');
  await expect(toNewest(page)).toBeHidden();
  await page.getByRole('log').press('Home');
  await expect(line(page)).toBeInViewport();
  // When it was left and everything is read there is no line, and it opens at its end.
  await opens(page, '雑談・縁側');
  await opens(page, '続きから読む');
  await expect(said(page, 40)).toBeInViewport();
  await expect(line(page)).toHaveCount(0);
});

test('[R4.6] unread messages that fit the window are read at once, and what arrives at the end while somebody is there', async ({
  browser,
  product,
}) => {
  const kato = await stream(product, 'すぐ読む', 2);
  const page = await ito(browser, product);
  await opens(page, 'すぐ読む');
  await expect(line(page)).toBeInViewport();
  await expect(streamRow(page, 'すぐ読む')).not.toContainText('[');
  await says(kato, 'すぐ読む', 3, 1);
  await expect(said(page, 3)).toBeInViewport();
  await expect(streamRow(page, 'すぐ読む')).not.toContainText('[');
  await expect(messages(page)).toHaveCount(3);
});

test('[R4.6] nothing is read while the window is elsewhere, nor while nobody moves', async ({ browser, product }) => {
  const kato = await stream(product, '離席中', 1);
  const page = await ito(browser, product);
  await opens(page, '離席中');
  await expect(streamRow(page, '離席中')).not.toContainText('[');
  await turnsAway(page);
  await says(kato, '離席中', 2, 2);
  await expect(said(page, 3)).toBeVisible();
  await expect(streamRow(page, '離席中')).toContainText('[2]');
  await page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
  await expect(streamRow(page, '離席中')).not.toContainText('[');
  // The line stands above what came meanwhile.
  await expect(belowLine(page)).toContainText('連絡その 2 です');

  // Nothing was moved since the page was loaded: nobody may be there.
  await opens(page, '離席中');
  await page.reload();
  await expect(said(page, 3)).toBeVisible();
  await says(kato, '離席中', 4, 1);
  await expect(said(page, 4)).toBeVisible();
  await expect(streamRow(page, '離席中')).toContainText('[1]');
  await page.getByRole('log').hover();
  await expect(streamRow(page, '離席中')).not.toContainText('[');

  // They have gone away a minute ago.
  await page.clock.install();
  await page.clock.fastForward(61_000);
  await says(kato, '離席中', 5, 1);
  await expect(said(page, 5)).toBeVisible();
  await expect(streamRow(page, '離席中')).toContainText('[1]');
  await page.getByRole('log').hover({ position: { x: 40, y: 40 } });
  await expect(streamRow(page, '離席中')).not.toContainText('[');
});

test('[R4.6] what is merely passed is not read', async ({ browser, product }) => {
  const [long, short] = ['通り過ぎる・長い', '通り過ぎる・短い'] as const;
  // They are elsewhere when it is said, or the stream with the newest message would be read on the way.
  const page = await ito(browser, product);
  await opens(page, '雑談・縁側');
  await stream(product, long, 40);
  await stream(product, short, 2);
  await expect(streamRow(page, long)).toContainText('[40]');
  await expect(streamRow(page, short)).toContainText('[2]');
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
  await expect(streamRow(page, long)).toContainText('[40]');
  await expect(streamRow(page, short)).toContainText('[2]');

  await opensFor(short, 1000);
  await expect(streamRow(page, short)).not.toContainText('[');
  await opensFor(long, 1000);
  await expect(streamRow(page, long)).toContainText(/\[[23]\d\]/);
  await expect(streamRow(page, long)).not.toContainText('[40]');
});

test('[R4.6] counts on rail, title and tree are the same on two devices, and after a reload', async ({ browser, product }) => {
  const kato = await api(product, 'kato');
  const devices = [await ito(browser, product), await ito(browser, product)];
  const [here, there] = devices;
  if (!here || !there) throw new Error('there are two devices');
  // They stand elsewhere, and begin with nothing unread.
  for (const page of devices) {
    await opens(page, '雑談・縁側');
    await expect(streamRow(page, '雑談・縁側')).not.toContainText('[');
  }
  const begin = await total(here);
  await says(kato, 'デザイン室', 1, 2);
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

test('[R4.6, R2.2] the way back from a message, or to one that is gone, reads nothing that was not shown', async ({
  browser,
  product,
}) => {
  const name = '跳んで戻る';
  const kato = await stream(product, name, 59);
  const { id } = await says(kato, name, 60, 1);
  await says(kato, name, 61, 60);
  const page = await ito(browser, product);
  const expectUnread = async (first: number) => {
    await expect(line(page)).toBeInViewport();
    await expect(said(page, 120)).not.toBeInViewport();
    await expect(toNewest(page)).toHaveAccessibleName(/新着 \d+ 件/);
    await expect(belowLine(page)).toContainText(`連絡その ${first} です`);
  };
  // The stream stands there already, and would be read before the page is loaded anew.
  await turnsAway(page);
  await rail(page, 'ストリーム').click();
  const address = await streamRow(page, name).getAttribute('href');
  const follow = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);

  // Nobody has touched anything since, so that nothing is read yet.
  await page.goto(`/${address}/message/99999999`);
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(/^そのメッセージは見つかりません/);
  await expectUnread(1);
  await page.getByRole('log').hover();
  await expect(streamRow(page, name)).toContainText(/\[1[01]\d\]/);
  const shown = 120 - Number(/\[(\d+)\]/.exec(await streamRow(page, name).innerText())?.[1]);
  expect(shown).toBeGreaterThan(0);

  await follow(`${address}/message/${String(id)}`);
  await expect(said(page, 60)).toBeInViewport();
  // Where they were, or where reading goes on.
  await page.goBack();
  await expectUnread(1);
  await expect(said(page, 1)).toBeInViewport();
  await page.goForward();
  await expect(said(page, 60)).toBeInViewport();
  await streamRow(page, name).click();
  await expectUnread(shown + 1);
  await expect(streamRow(page, name)).toContainText('[');
});

test('[R4.6] nothing is read of what stands there until a message from far away has come', async ({ browser, product }) => {
  const name = '遠くへ跳ぶ';
  // Somewhere else before anything is said: the page opens where it was said last, and would read there while it is slow.
  const page = await ito(browser, product);
  await opens(page, '雑談・縁側');
  const kato = await stream(product, name, 59);
  const { id } = await says(kato, name, 60, 1);
  await says(kato, name, 61, 60);
  await expect(streamRow(page, name)).toContainText('[120]');
  const address = await streamRow(page, name).getAttribute('href');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 5000);
  // Its newest messages are there, and were not looked at for long enough.
  await streamRow(page, name).click();
  await expect(said(page, 1)).toBeInViewport();
  await page.clock.runFor(100);
  await toNewest(page).click();
  await expect(said(page, 120)).toBeInViewport();
  await streamRow(page, '雑談・縁側').click();
  await expect(said(page, 120)).toHaveCount(0);

  const asked = page.waitForRequest(/anchor=\d+/);
  const letGo = await hold(page, '**/api/v1/messages?*');
  await page.evaluate((hash) => void (location.hash = hash), `${address}/message/${String(id)}`);
  await asked;
  await page.clock.runFor(2000);
  await expect(streamRow(page, name)).toContainText('[120]');
  letGo();
  await expect(said(page, 60)).toBeInViewport();
  await expect(streamRow(page, name)).toContainText('[120]');
});
