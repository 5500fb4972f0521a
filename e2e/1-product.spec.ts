import { checkScreen } from './checkScreen.ts';
import { expect, test } from './product.ts';
import { field, header, message, rail, tree, typeAndEnterAtOnce, write } from './screen.ts';

test('[R1.1, R1.5, R2.3] The first visit signs in the default member and shows the main screen', async ({ page, product }) => {
  await page.goto(product.url);
  await expect(rail(page, '組織')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: '組織' })).toBeVisible();
  await expect(tree(page)).toBeVisible();
  await expect(header(page)).toContainText('プロダクト開発部');
  await rail(page, '設定').click();
  await expect(page.getByText('tanaka@engawa.example')).toBeVisible();
  await rail(page, 'ストリーム').click();
  await expect(page.getByRole('heading', { name: 'ストリーム' })).toBeVisible();
});

test('[R1.5, R2.1] After a member signs out, the page lists the members to sign in as, also after a reload', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await rail(page, '設定').click();
  await page.getByRole('link', { name: 'ログアウト' }).click();
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await checkScreen(page, '01 sign-in');
  await page.getByRole('searchbox').fill('だれもいない');
  await expect(page.getByText('見つかりませんでした')).toBeVisible();
  await checkScreen(page, '02 sign-in, nobody found');

  await page.getByRole('searchbox').fill('さとう み');
  await page.getByText('佐藤 美咲').click();
  await expect(page.getByRole('log')).toBeVisible();
  await rail(page, '設定').click();
  await expect(page.getByText('sato@engawa.example')).toBeVisible();
});

test('[R1.5] At the sign-in, Enter signs in the member whose name was typed, even before the list has been filtered', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/logout`);
  await expect(page.getByText('佐藤 美咲')).toBeVisible();
  await typeAndEnterAtOnce(page.getByRole('searchbox'), 'さとう み');
  await expect(page.getByRole('log')).toBeVisible();
  await rail(page, '設定').click();
  await expect(page.getByText('sato@engawa.example')).toBeVisible();
});

test('[R1.3, R1.4] The interface is in Japanese, and changes to English when the member chooses English', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await rail(page, '設定').click();
  await page.getByRole('radio', { name: 'English' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Organisation' })).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: '日本語' }).click();
  await expect(rail(page, '組織')).toBeVisible();
});

test('[R1.2, R5.3.1] A member sends formatted text and code, and the message shows the formatting', async ({ page, product }) => {
  await page.goto(product.url);
  await expect(field(page)).toBeVisible();
  await write(page, 'これは*太字*で、_斜体_、~取消~、°下線°、`code` です。https://example.com/を見て');
  const row = message(page, 'これは太字で');
  await expect(row.locator('strong')).toHaveText('太字');
  await expect(row.locator('em')).toHaveText('斜体');
  await expect(row.locator('s, del')).toHaveText('取消');
  await expect(row.locator('u')).toHaveText('下線');
  await expect(row.locator('code')).toHaveText('code');
  const link = row.getByRole('link');
  await expect(link).toHaveText('https://example.com/');
  await expect(link).toHaveAttribute('target', '_blank');
  await write(page, '設定はこれです。\n```\nport: *8080*\nhost: _local_\n```');
  await expect(message(page, '設定はこれです。').locator('pre code')).toHaveText('port: *8080*\nhost: _local_');
});

test('The first screen and the code loaded after it request at most eight scripts and style sheets', async ({
  page,
  product,
}) => {
  const files = new Set<string>();
  page.on('request', (request) => {
    if (/\/assets\/.+\.(?:js|css)$/.test(request.url())) files.add(request.url());
  });
  const answers = Promise.all(['**/api/people?*', '**/api/v1/users/me/presence'].map((path) => page.waitForResponse(path)));
  await page.goto(product.url);
  await answers;
  await page.getByRole('article').last().focus();
  await page.getByRole('toolbar').waitFor();
  expect(files.size).toBeLessThanOrEqual(8);
});
