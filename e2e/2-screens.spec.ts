import type { Locator, Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInPage, signIn, test } from './product.ts';
import { department, field, header, message, messages, rail, resize, streamRow, tree } from './screen.ts';

test.describe('The organisation tab', () => {
  test('[R2.4] The tree of departments is fully expanded at first, and a press on the marker of a department collapses it', async ({
    page,
    product,
  }) => {
    await page.goto(product.url);
    await expect(tree(page).getByRole('treeitem')).toHaveCount(20);
    await expect(department(page, '開発本部')).toHaveAttribute('aria-expanded', 'true');
    await expect(department(page, 'プロダクト開発部')).toHaveAttribute('aria-level', '3');
    await checkScreen(page, '10 organisation');
    for (const name of ['開発本部', '営業本部']) {
      await department(page, name).focus();
      await page.keyboard.press('ArrowLeft');
    }
    await expect(tree(page).getByRole('treeitem')).toHaveCount(12);
    await checkScreen(page, '11 organisation, folded');
  });

  test('[R2.5, R4.2, R8.1] A press on a department opens its stream, or shows an error if the member has no access to it', async ({
    page,
    product,
  }) => {
    await page.goto(product.url);
    await department(page, 'デザイン室').click();
    await expect(header(page)).toContainText('デザイン室');
    await expect(messages(page).first()).toBeVisible();
    await department(page, '経理部').click();
    await expect(page.getByRole('alert')).toHaveText('アクセス権限がありません。');
    await expect(header(page)).toContainText('デザイン室');
    await checkScreen(page, '12 organisation, no access');
  });

  test('[R2.4] A member moves through the tree of departments and opens one by keyboard alone', async ({ page, product }) => {
    await page.goto(product.url);
    await department(page, '株式会社 縁側').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    for (let i = 0; i < 30; i += 1) {
      if ((await page.evaluate(() => document.activeElement?.textContent))?.startsWith('デザイン室')) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(header(page)).toContainText('デザイン室');
  });
});

test.describe('The stream tab', () => {
  test('[R2.6] Each row of the stream list shows a name, an unread count in red brackets, a preview and a time', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await rail(page, 'ストリーム').click();
    const row = streamRow(page, '全社アナウンス');
    await expect(row).toContainText('[3]');
    await expect(row).toContainText(/\d{2}:\d{2}/);
    await expect(row).toContainText(/林|髙橋|: /);
    const color = await row.getByText('[3]', { exact: true }).evaluate((count) => getComputedStyle(count).color);
    expect(color).toBe('rgb(185, 48, 42)');
    await checkScreen(page, '20 streams');
  });

  test('[R4.6, R4.5] Opening a stream marks its visible messages as read, and the divider above the new messages stays', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await rail(page, 'ストリーム').click();
    await streamRow(page, '開発本部').click();
    await expect(page.getByRole('separator', { name: '新着メッセージ' })).toBeVisible();
    await expect(streamRow(page, '開発本部')).not.toContainText('[');
    await expect(page.getByRole('separator', { name: '新着メッセージ' })).toBeVisible();
    await checkScreen(page, '42 chat, new messages');
    await page.reload();
    await rail(page, 'ストリーム').click();
    await expect(streamRow(page, '開発本部')).toBeVisible();
    await expect(streamRow(page, '開発本部')).not.toContainText('[');
  });
});

/** Scrolls up to the newest message with this text. */
async function scrolledTo(page: Page, text: string): Promise<Locator> {
  const sought = message(page, text).last();
  await expect(messages(page).last()).toBeVisible();
  await page.getByRole('log').hover();
  await expect(async () => {
    if (!(await sought.isVisible())) await page.mouse.wheel(0, -300);
    await expect(sought).toBeVisible({ timeout: 200 });
  }).toPass();
  return sought;
}

test.describe('The chat pane', () => {
  test('[R2.8, R2.14, R2.15, R2.16] The chat shows sender, text, time, files and deleted messages', async ({ page, product }) => {
    await page.goto(product.url);
    await expect(header(page)).toContainText('プロダクト開発部');
    await expect(
      page
        .getByRole('banner')
        .or(page.locator('header'))
        .getByText(/^\(\d+\)$/),
    ).toBeVisible();
    // Other tests may have written below, so each is searched from the end upwards.
    const own = await scrolledTo(page, '速いですね。');
    await expect(own).toHaveAttribute('data-align', 'right');
    const deleted = await scrolledTo(page, '削除した');
    await expect(deleted).toContainText('山本 葵');
    await expect(deleted.locator('time')).toHaveText(/^\d{2}:\d{2}$/);
    const card = await scrolledTo(page, 'リリース手順書_v2.4.xlsx');
    await expect(card).toContainText(/\d+\.\d [BKM]/);
    await checkScreen(page, '41 chat, scrolled up');
  });
});

test('[R4.11] The theme is light at first, and dark after the member chooses it, also after a reload', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: '暗いテーマにする' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('[R2.21, R4.1] A narrow window shows either the list or the chat', async ({ browser, product }) => {
  const page = await signedInPage(browser, product, 'ito@engawa.example', { viewport: { width: 390, height: 844 } });
  await page.goto('/');
  await expect(tree(page)).toBeVisible();
  await expect(field(page)).toBeHidden();
  await department(page, 'デザイン室').click();
  await expect(field(page)).toBeVisible();
  await expect(tree(page)).toBeHidden();
  await page.getByRole('button', { name: '一覧に戻る' }).click();
  await expect(tree(page)).toBeVisible();
});

test('[R2.21] The focus stays in the list when the window becomes narrow and wide again', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  await expect(field(page)).toBeVisible();
  await rail(page, '設定').click();
  const logout = page.getByRole('link', { name: 'ログアウト' });
  await logout.focus();
  await resize(page, { width: 720, height: 900 });
  await expect(field(page)).toBeHidden();
  await resize(page, { width: 1440, height: 900 });
  await expect(field(page)).toBeVisible();
  await expect(logout).toBeFocused();
});
