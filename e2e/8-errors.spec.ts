import { checkScreen } from './checkScreen.ts';
import { expect, signedInPage, signIn, test } from './product.ts';
import { department, field, header, hold, message, refusal, sendButton, signOut, write } from './screen.ts';

test('[R4.8.2, R8.4] A message stays visible and arrives once although the response to its send is lost', async ({
  browser,
  product,
}) => {
  const sato = await signIn(browser, product, 'sato@engawa.example');
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  for (const page of [sato, suzuki]) await department(page, 'プロダクト開発部').click();

  let lost = 0;
  await sato.route('**/api/v1/messages', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await write(sato, '返事が失われても一度だけ');
  await expect(message(suzuki, '返事が失われても一度だけ')).toHaveCount(1);
  await expect(message(sato, '返事が失われても一度だけ')).toHaveCount(1);
  await expect(message(sato, '返事が失われても一度だけ').locator('time')).toBeVisible();
  await sato.reload();
  await expect(message(sato, '返事が失われても一度だけ')).toHaveCount(1);
});

test('[R8.4] A message that the server refused stays in the list with its text and the reason', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not authorized' } })
      : route.fallback(),
  );
  await write(page, '断られた文章');
  const row = message(page, '断られた文章');
  await expect(row.getByRole('alert')).toContainText('サーバーが受け付けませんでした');
  await checkScreen(page, '48 chat, not sent');
  await row.getByRole('button', { name: '入力欄に戻す' }).click();
  await expect(field(page)).toHaveValue('断られた文章');
  await page.unroute('**/api/v1/messages');
  await field(page).press('Enter');
  await expect(message(page, '断られた文章').locator('time')).toBeVisible();
});

test('[R4.8.2] A message that waits behind a failed message says so, and can be taken back into the composer', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await checkScreen(page, '40 chat');
  await page.context().setOffline(true);
  await write(page, '一つ目');
  await write(page, '二つ目');
  await write(page, '三つ目');
  await expect(message(page, '一つ目').getByRole('alert')).toBeVisible();
  await expect(message(page, '三つ目')).toContainText('送信待ち');
  await checkScreen(page, '47 chat, offline');
  await message(page, '二つ目').getByRole('button', { name: '入力欄に戻す' }).click();
  await expect(field(page)).toHaveValue('二つ目');
  await page.context().setOffline(false);
  for (const text of ['一つ目', '三つ目']) await expect(message(page, text).locator('time')).toBeVisible();
  await expect(message(page, '二つ目')).toHaveCount(0);
});

test('[R4.8.2] A message that failed is still there after a reload and can be sent again', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 404, body: '<h1>?</h1>' }) : route.fallback(),
  );
  await write(page, '読み直しても残る文章');
  await expect(message(page, '読み直しても残る文章').getByRole('alert')).toBeVisible();
  await page.reload();
  const again = message(page, '読み直しても残る文章').getByRole('button', { name: 'もう一度送る' });
  await expect(again).toBeVisible();
  await page.unroute('**/api/v1/messages');
  await again.click();
  await expect(message(page, '読み直しても残る文章').locator('time')).toBeVisible();
  await page.reload();
  await expect(message(page, '読み直しても残る文章')).toHaveCount(1);
  await expect(message(page, '読み直しても残る文章').getByRole('alert')).toHaveCount(0);
});

test('[R4.4, R8.4] The page says that the server does not answer, and shows the missed messages once it answers again', async ({
  browser,
  product,
}) => {
  const sato = await signIn(browser, product, 'sato@engawa.example');
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  for (const page of [sato, suzuki]) await department(page, 'プロダクト開発部').click();
  await product.kill();
  await expect(sato.getByText('接続が切れました。つなぎ直しています…')).toBeVisible();
  await write(sato, '切れている間に書きました');
  await expect(message(sato, '切れている間に書きました')).toBeVisible();
  await product.start();
  await expect(message(suzuki, '切れている間に書きました')).toHaveCount(1, { timeout: 30_000 });
  await expect(message(sato, '切れている間に書きました')).toHaveCount(1);
  await expect(sato.getByText('接続が切れました。つなぎ直しています…')).toBeHidden();
  for (const page of [sato, suzuki]) {
    await expect(page.getByText('接続が切れました。つなぎ直しています…')).toBeHidden();
    await write(sato, `つながりました ${page === sato ? 1 : 2}`);
    await expect(message(page, `つながりました ${page === sato ? 1 : 2}`)).toBeInViewport();
  }
});

test('[R4.4, R8.4] A page that lost the network before it had the code for events needs no reload once the network is back', async ({
  browser,
  product,
}) => {
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await department(suzuki, 'プロダクト開発部').click();
  const page = await signedInPage(browser, product, 'sato@engawa.example');
  // The build names this chunk after `web/src/model`.
  await page.route('**/assets/model-*.js', (route) => route.abort());
  let asked = 0;
  await page.route('**/api/v1/server_settings*', (route) => {
    asked += 1;
    return route.abort();
  });
  await page.goto('/');
  await expect(page.getByText('接続が切れました。つなぎ直しています…')).toBeVisible();
  await expect.poll(() => asked).toBeGreaterThan(3);
  await page.unrouteAll();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await write(suzuki, 'つながりましたか');
  await expect(message(page, 'つながりましたか')).toBeVisible();
});

test('A page whose session has ended says so, leads to the sign-in, and keeps the draft', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await field(page).fill('まだ送っていない');
  await page.context().clearCookies();
  await sendButton(page).click();
  await expect(message(page, 'まだ送っていない')).toBeVisible();
  const again = page.getByRole('button', { name: 'もう一度サインインする' });
  await expect(again).toBeVisible();
  await checkScreen(page, '49 chat, signed out');
  await again.click();
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await page.getByRole('searchbox').fill('sato');
  await page.getByText('佐藤 美咲').first().click();
  await expect(header(page)).toHaveText('プロダクト開発部');
  await expect(message(page, 'まだ送っていない').locator('time')).toBeVisible();
});

test('[R3.5] A tab of a member sends nothing after another member has signed in with the same browser', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  const headers = { Origin: product.url };
  await page.context().request.post('/api/session', { data: { email: 'suzuki@engawa.example' }, headers });
  await write(page, '誰の言葉でしょう');
  await expect(page.getByText('サインアウトされました。').first()).toBeVisible();
  const suzuki = await page.context().newPage();
  await suzuki.goto('/');
  await department(suzuki, 'プロダクト開発部').click();
  await write(suzuki, '鈴木の言葉です');
  await expect(message(suzuki, '鈴木の言葉です').locator('time')).toBeVisible();
  await expect(message(suzuki, '誰の言葉でしょう')).toHaveCount(0);
});

test('[R2.1] A link to /logout in a message, and the typed address, only ask whether to sign out', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await write(page, `お得な情報はこちら ${product.url}/logout`);
  const opened = page.context().waitForEvent('page');
  await message(page, 'お得な情報はこちら')
    .getByRole('link', { name: /logout/ })
    .click();
  const other = await opened;
  const question = other.getByRole('dialog', { name: 'ログアウト' });
  await expect(question).toContainText('このブラウザーからログアウトします。');
  await expect(question.getByRole('button', { name: 'キャンセル' })).toBeFocused();
  await checkScreen(other, '85c settings, asked whether to sign out after a link');
  await other.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(other).toHaveURL(/#\/settings$/);

  await other.goto('/logout');
  await expect(question).toBeVisible();
  await other.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(other).toHaveURL(/#\/settings$/);
  await other.goto('/#/logout');
  await question.getByRole('button', { name: 'ログアウトする' }).click();
  await expect(other.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
});

test('[R1.5] Signing out in one tab shows the sign-in in the other tabs too', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  const other = await page.context().newPage();
  await signOut(other);
  await expect(other.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect(page.getByRole('log')).toHaveCount(0);
});

test('[R8.4] A stream says that its messages are loading, and that they could not be loaded', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  const release = await hold(page, '**/api/v1/messages?*');
  await department(page, 'デザイン室').or(department(page, '開発本部')).first().click();
  await expect(header(page)).not.toHaveText('プロダクト開発部');
  await checkScreen(page, '45 chat, loading');
  release(refusal);
  await expect(page.getByRole('button', { name: 'もう一度試す' })).toBeVisible();
  await checkScreen(page, '46 chat, failed');
});
