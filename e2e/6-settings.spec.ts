import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from './product.ts';
import { rail } from './screen.ts';

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const section = (page: Page, name: string): Locator => page.getByRole('region', { name });
const sessions = (page: Page): Locator => page.getByRole('list', { name: 'サインイン中の端末の一覧' }).getByRole('listitem');
const signedOut = (page: Page): Locator => page.getByText('サインインの期限が切れました。');

async function openSettings(page: Page, name?: string): Promise<void> {
  await rail(page, '設定').click();
  await expect(panel(page).getByRole('button', { name: 'プロフィールを編集' })).toBeVisible();
  if (name !== undefined) await panel(page).getByRole('button', { name, exact: true }).click();
}

test.describe('where I am signed in', () => {
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

  test('[R2.24.2, R2.25.1] each device is listed, and signed out from another at once', async ({ browser, product }) => {
    const there = await signIn(browser, product, 'hayashi@engawa.example', { extraHTTPHeaders: { 'User-Agent': iPhone } });
    const page = await signIn(browser, product, 'hayashi@engawa.example');
    await openSettings(page, 'セキュリティ');
    await expect(sessions(page)).toHaveCount(2);
    await expect(sessions(page).filter({ hasText: 'この端末' }).getByRole('button')).toHaveCount(0);

    await section(page, 'セキュリティ').getByRole('button', { name: 'iPhone の Safari をサインアウトさせる' }).click();
    await expect(signedOut(there)).toBeVisible();
    await expect(page.getByText('iPhone の Safari をサインアウトさせました。')).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
    await expect(page.getByText('サインインしているのはこの端末だけです。')).toBeVisible();
    await expect(signedOut(page)).toHaveCount(0);
  });

  test('[R2.25.1] all others are signed out together, after a question', async ({ browser, product }) => {
    const others = await Promise.all([1, 2].map(() => signIn(browser, product, 'mori@engawa.example')));
    const page = await signIn(browser, product, 'mori@engawa.example');
    await openSettings(page, 'セキュリティ');
    await expect(sessions(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'ほかの端末をすべてサインアウト' }).click();
    const question = page.getByRole('dialog', { name: 'ほかの端末をすべてサインアウト' });
    await expect(question).toContainText('2 台');
    await question.getByRole('button', { name: 'サインアウト', exact: true }).click();
    for (const other of others) await expect(signedOut(other)).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
    await expect(signedOut(page)).toHaveCount(0);
  });

  test('[R8.4] says why they could not be listed, and asks again', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'mori@engawa.example');
    await page.route('**/api/sessions', (route) => route.abort());
    await openSettings(page, 'セキュリティ');
    await expect(section(page, 'セキュリティ').getByRole('alert')).toContainText('サーバーにつながりませんでした');
    await page.unroute('**/api/sessions');
    await section(page, 'セキュリティ').getByRole('button', { name: 'もう一度試す' }).click();
    await expect(sessions(page).first()).toBeVisible();
  });
});
