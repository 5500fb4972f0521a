import { checkScreen } from './checkScreen.ts';
import { expect, signedInPage, signIn, test } from './product.ts';
import { department, field, header, hold, rail, refusal, streamRow, tree, write } from './screen.ts';

test('[R2.6, R4.6] The tree shows the unread count of each department, and for a collapsed department the sum of those inside it', async ({
  browser,
  product,
}) => {
  const kato = await signIn(browser, product, 'kato@engawa.example');
  const ito = await signIn(browser, product, 'ito@engawa.example');
  // Reads everything that is unread in the demo data.
  for (const name of ['デザイン室', '開発本部', 'デザイン室']) {
    await department(ito, name).click();
    await expect(header(ito)).toHaveText(name);
    await expect(department(ito, name)).not.toContainText('[');
  }
  await department(ito, '開発本部').click();
  await department(kato, 'デザイン室').click();
  await write(kato, '一つめ');
  await write(kato, '二つめ');
  await expect(department(ito, 'デザイン室')).toContainText('[2]');
  await expect(department(ito, 'デザイン室')).toHaveAccessibleName(/未読 2 件/);
  await expect(department(ito, '開発本部')).not.toContainText('[');

  await department(ito, '開発本部').focus();
  await ito.keyboard.press('ArrowLeft');
  await expect(department(ito, 'デザイン室')).toHaveCount(0);
  await expect(department(ito, '開発本部')).toContainText('[2]');
  await write(kato, '三つめ');
  await expect(department(ito, '開発本部')).toContainText('[3]');
  await ito.keyboard.press('ArrowRight');
  await expect(department(ito, '開発本部')).not.toContainText('[');
  await department(ito, 'デザイン室').click();
  await expect(department(ito, 'デザイン室')).not.toContainText('[');
});

test('[R2.5] A department’s stream opens for a member who has just been added to it', async ({ browser, product }) => {
  const kimura = await signIn(browser, product, 'kimura@engawa.example');
  await department(kimura, '基盤技術部').click();
  await expect(kimura.getByRole('alert')).toHaveText('アクセス権限がありません。');
  const watanabe = await signIn(browser, product, 'watanabe@engawa.example');
  const form = {
    subscriptions: JSON.stringify([{ name: '基盤技術部' }]),
    principals: JSON.stringify(['kimura@engawa.example']),
  };
  const headers = { Origin: product.url };
  const taken = await watanabe.request.post('/api/v1/users/me/subscriptions', { form, headers });
  expect(taken.status()).toBe(200);
  await rail(kimura, 'ストリーム').click();
  await expect(streamRow(kimura, '基盤技術部')).toBeVisible();
  await rail(kimura, '組織').click();
  await department(kimura, '基盤技術部').click();
  await expect(header(kimura)).toHaveText('基盤技術部');
});

test('[R2.6] An empty list of streams, and a search without results, advise the member what to do', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'kimura@engawa.example');
  await page.getByRole('searchbox', { name: '部署を検索' }).fill('宇宙開発');
  await expect(page.getByText('部署の名前の一部を入れてください。')).toBeVisible();
  await checkScreen(page, '14 organisation, nothing found');
  await page.getByRole('searchbox', { name: '部署を検索' }).fill('ﾃﾞｻﾞｲﾝ');
  await expect(tree(page).getByRole('treeitem')).toHaveText([/株式会社 縁側/, /開発本部/, /デザイン室/]);
  await checkScreen(page, '13 organisation, searched');
  await rail(page, 'ストリーム').click();
  await page.getByRole('searchbox', { name: 'ストリームを検索' }).fill('宇宙開発');
  await expect(page.getByText('ストリームの名前の一部を入れてください。')).toBeVisible();
  await checkScreen(page, '21 streams, nothing found');

  await page.route('**/api/v1/users/me/subscriptions?*', (route) =>
    route.fulfill({ json: { result: 'success', msg: '', subscriptions: [] } }),
  );
  await page.goto('/#/streams');
  await page.reload();
  await expect(page.getByText('ストリームがありません')).toBeVisible();
  await expect(page.getByText('右上の＋でグループを作れます。')).toBeVisible();
  await expect(page.getByText('ストリームを選んでください')).toBeVisible();
  await expect(field(page)).toBeHidden();
  await checkScreen(page, '22 streams, none');
});

test('[R2.4, R8.4] The tree of departments says that it is empty, loading, or could not be loaded', async ({
  browser,
  product,
}) => {
  const page = await signedInPage(browser, product, 'kimura@engawa.example');
  const tree = '**/api/department/tree';
  await page.route(tree, (route) => route.fulfill({ json: { data: [] } }));
  await page.goto('/');
  await expect(page.getByText('部署がありません')).toBeVisible();
  await checkScreen(page, '15 organisation, empty');

  await page.unroute(tree);
  const release = await hold(page, tree);
  await page.reload();
  await expect(page.getByLabel('読み込んでいます…').first()).toBeVisible();
  await checkScreen(page, '16 organisation, loading');
  release(refusal);
  await expect(page.getByRole('button', { name: 'もう一度試す' })).toBeVisible();
  await checkScreen(page, '17 organisation, failed');
});

test('[R2.6] The list of streams says that it is loading', async ({ browser, product }) => {
  const page = await signedInPage(browser, product, 'kimura@engawa.example');
  await hold(page, '**/api/v1/register');
  await page.goto('/#/streams');
  await expect(page.getByLabel('読み込んでいます…').first()).toBeVisible();
  await checkScreen(page, '23 streams, loading');
});
