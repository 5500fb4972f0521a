import { expect, signIn, test } from './product.ts';
import { department, field, header, rail, streamRow, tree, write } from './screen.ts';

test('[R2.6, R4.6] a department shows what is unread in it, and a folded one all that is inside', async ({
  browser,
  product,
}) => {
  const kato = await signIn(browser, product, 'kato@engawa.example');
  const ito = await signIn(browser, product, 'ito@engawa.example');
  // What is unread from the beginning is read first.
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

test('[R2.5] a department opens for who has just been taken into its stream', async ({ browser, product }) => {
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

test('[R2.6] an empty list, and one in which nothing is found, say what to do', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'kimura@engawa.example');
  await page.getByRole('searchbox', { name: '部署を検索' }).fill('宇宙開発');
  await expect(page.getByText('部署の名前の一部を入れてください。')).toBeVisible();
  await page.getByRole('searchbox', { name: '部署を検索' }).fill('ﾃﾞｻﾞｲﾝ');
  await expect(tree(page).getByRole('treeitem')).toHaveText([/株式会社 縁側/, /開発本部/, /デザイン室/]);
  await rail(page, 'ストリーム').click();
  await page.getByRole('searchbox', { name: 'ストリームを検索' }).fill('宇宙開発');
  await expect(page.getByText('ストリームの名前の一部を入れてください。')).toBeVisible();

  await page.route('**/api/v1/users/me/subscriptions?*', (route) =>
    route.fulfill({ json: { result: 'success', msg: '', subscriptions: [] } }),
  );
  await page.goto('/#/streams');
  await page.reload();
  await expect(page.getByText('ストリームがありません')).toBeVisible();
  await expect(page.getByText('右上の＋でグループを作れます。')).toBeVisible();
  await expect(page.getByText('ストリームを選んでください')).toBeVisible();
  await expect(field(page)).toBeHidden();
});
