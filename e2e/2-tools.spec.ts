import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from './product.ts';
import { department, field, header, hold, scriptsOnDemand } from './screen.ts';
import { sample } from './states.ts';

const tool = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const more = (page: Page): Locator => tool(page, 'その他の操作');
const menu = (page: Page): Locator => page.getByRole('menu', { name: 'その他の操作' });
const item = (page: Page, name: string): Locator => menu(page).getByRole('menuitem', { name });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

async function openDesign(page: Page): Promise<void> {
  await department(page, 'デザイン室').click();
  await expect(header(page)).toContainText('デザイン室');
}

test.describe('the buttons of the stream', () => {
  test('[R2.8] search, audio call and video call each open a modal that names the stream', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    for (const [button, heading] of [
      ['メッセージを検索', 'メッセージを検索'],
      ['音声通話', '音声通話'],
      ['ビデオ通話', 'ビデオ通話'],
    ] as const) {
      await tool(page, button).click();
      await expect(dialog(page, heading)).toContainText('デザイン室');
      if (heading !== 'メッセージを検索') await expect(dialog(page, heading)).toContainText('まだ使えません');
      await page.keyboard.press('Escape');
      await expect(dialog(page, heading)).toBeHidden();
      await expect(tool(page, button)).toBeFocused();
    }
  });

  test('[R2.8] view profile shows the stream, what it is for and its members', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    await more(page).click();
    await item(page, 'プロフィールを表示').click();
    const profile = dialog(page, 'プロフィール');
    await expect(profile).toContainText('デザイン室のストリームです。');
    const count = await page
      .locator('header')
      .getByText(/^\(\d+\)$/)
      .textContent();
    await expect(profile.getByText(`メンバー ${count}`, { exact: true })).toBeVisible();
    await expect(profile.getByRole('listitem').filter({ hasText: '伊藤 さくら' })).toBeVisible();
    await profile.getByRole('button', { name: '閉じる' }).click();
    await expect(more(page)).toBeFocused();
  });
});

test('[R2.8] the menu opens for whoever presses its button while it comes, by mouse and by keyboard', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  const onDemand = await scriptsOnDemand(page);
  const ways = [
    { press: () => more(page).click(), first: 'プロフィールを表示' },
    { press: () => more(page).press('Space'), first: 'プロフィールを表示' },
    { press: () => more(page).press('ArrowDown'), first: 'プロフィールを表示' },
    { press: () => more(page).press('ArrowUp'), first: '削除' },
  ];
  for (const { press, first } of ways) {
    const release = await hold(page, onDemand);
    const asked = page.waitForRequest((request) => onDemand(new URL(request.url())));
    await page.reload();
    await asked;
    await press();
    await expect(more(page)).toHaveAttribute('aria-expanded', 'true');
    release();
    await expect(item(page, first)).toBeFocused();
    await page.unroute(onDemand);
  }
});

test('[R2.8] the sign that a stream is muted does not wait for who lets the button of the menu go beside it', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  await openDesign(page);
  await more(page).click();
  await item(page, 'ミュート').click();
  await expect(tool(page, 'ミュート中（押すと解除）')).toBeVisible();
  const onDemand = await scriptsOnDemand(page);
  const release = await hold(page, onDemand);
  const asked = page.waitForRequest((request) => onDemand(new URL(request.url())));
  await page.reload();
  await asked;
  await more(page).hover();
  await page.mouse.down();
  await page.mouse.move(0, 0);
  await page.mouse.up();
  release();
  await tool(page, 'ミュート中（押すと解除）').click();
  await expect(tool(page, 'ミュート中（押すと解除）')).toHaveCount(0);
});

test.describe('the menu, by keyboard alone', () => {
  test('[R2.8] arrows, Home, End and letters lead to the items, Enter takes one', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    await more(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'プロフィールを表示')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'アーカイブ')).toBeFocused();
    await page.keyboard.press('End');
    await expect(item(page, '削除')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'プロフィールを表示')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(item(page, '削除')).toBeFocused();
    await page.keyboard.press('Home');
    await menu(page).dispatchEvent('keydown', { key: 'み', bubbles: true });
    await expect(item(page, 'ミュート')).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(dialog(page, 'プロフィール')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(more(page)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(item(page, '削除')).toBeFocused();
  });

  test('[R2.8, R4.7.2] Escape closes only the menu and gives the focus back; Tab and a click beside it close it', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    await field(page).fill('書きかけ');
    await more(page).press('Enter');
    await expect(item(page, 'プロフィールを表示')).toBeFocused();
    await expect(more(page)).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
    await expect(more(page)).toBeFocused();
    await expect(more(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(field(page)).toHaveValue('書きかけ');

    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(menu(page)).toBeHidden();
    await more(page).click();
    await expect(menu(page)).toBeVisible();
    await page.getByRole('log').click({ position: { x: 5, y: 5 } });
    await expect(menu(page)).toBeHidden();
    await more(page).click();
    await more(page).click();
    await expect(menu(page)).toBeHidden();
    await field(page).fill('');
  });
});

for (const width of [390, 320]) {
  test(`[R2.8] the four buttons and a long name fit beside each other, ${width} px wide`, async ({ browser, prepared }) => {
    const page = await signIn(browser, prepared, sample.me, { viewport: { width: 1440, height: 900 } });
    await page.setViewportSize({ width, height: 700 });
    await page.goto('/#/streams');
    await page.getByRole('link').filter({ hasText: sample.longName }).click();
    await expect(header(page)).toContainText(sample.longName);
    for (const name of ['一覧に戻る', 'メッセージを検索', '音声通話', 'ビデオ通話', 'その他の操作']) {
      const box = await tool(page, name).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    }
    const name = await header(page).boundingBox();
    expect(name?.width).toBeGreaterThan(40);
    await more(page).click();
    for (const each of await menu(page).getByRole('menuitem').all()) await expect(each).toBeInViewport({ ratio: 1 });
  });
}
