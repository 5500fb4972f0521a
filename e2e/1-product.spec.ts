import { checkScreen } from './checkScreen.ts';
import { expect, test } from './product.ts';
import { field, header, hold, message, rail, settingStored, tree, typeAndEnterAtOnce, write } from './screen.ts';

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

test('[R1.5] The first screen names the member that the visitor is signed in as, and switches to another member', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  const notice = page.getByRole('region', { name: 'デモのご案内' });
  await expect(notice).toContainText('田中 翔さんとしてサインインしています。');
  await checkScreen(page, '02b first visit');
  await notice.getByRole('button', { name: 'メンバーを切り替える' }).click();
  const dialog = page.getByRole('dialog', { name: 'メンバーを切り替える' });
  // The dialog closes before the page loads. The page itself waits for that, because Playwright's locators would wait for the load.
  const release = await hold(page, `${product.url}/`);
  const closed = page.evaluate(
    () => new Promise((resolve) => document.querySelector('dialog')?.addEventListener('close', () => setTimeout(resolve))),
  );
  await dialog.getByText('佐藤 美咲').click();
  await closed;
  release();
  const ownFace = page.getByRole('button', { name: '佐藤 美咲（メンバーを切り替える）' });
  await expect(ownFace).toBeVisible();
  await expect(page.getByRole('log')).toBeVisible();
  await expect(notice).toHaveCount(0);

  await ownFace.click();
  await expect(dialog.getByText('佐藤 美咲')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(ownFace).toBeFocused();
  await ownFace.click();
  await dialog.getByText('田中 翔').click();
  await expect(page.getByRole('button', { name: '田中 翔（メンバーを切り替える）' })).toBeVisible();
});

for (const width of [1440, 390])
  test(`[R1.5] The first visit’s notice moves nothing when it appears in a window of ${width} px, so that each press reaches its button`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const release = await hold(page, '**/api/v1/register');
    await page.goto(product.url);
    const panel = page.getByRole('tabpanel');
    await expect(panel).toBeVisible();
    const before = await panel.boundingBox();
    release();
    await expect(page.getByRole('region', { name: 'デモのご案内' })).toBeVisible();
    expect(await panel.boundingBox()).toEqual(before);
  });

test('[R1.5, R2.1] After a member signs out, the page lists the members to sign in as, also after a reload', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await rail(page, '設定').click();
  // The settings push the sign-out down when they arrive.
  await expect(page.getByRole('radio', { name: '日本語' })).toBeVisible();
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
  const stored = settingStored(page);
  await page.getByRole('radio', { name: '日本語' }).click();
  await expect(rail(page, '組織')).toBeVisible();
  await stored;
});

test('[R1.2, R5.3.1, R5.3.2] A member sends formatted text, code and HTML, and the message shows the formatting, and HTML as text', async ({
  page,
  product,
}) => {
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

  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await write(page, '<img src=x onerror=alert(1)> javascript:alert(2) <script>alert(3)</script>');
  await expect(message(page, '<img src=x onerror=alert(1)>').last()).toBeVisible();
  await expect(page.getByRole('log').locator('img[src="x"], script')).toHaveCount(0);
  expect(dialogs).toEqual([]);
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
