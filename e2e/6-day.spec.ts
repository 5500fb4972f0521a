import { expect, type Locator, type Page } from '@playwright/test';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { signedInPage, signIn, test } from './product.ts';
import { field, fileInput, header, message, messages, rail, sendButton, streamRow, titleOf, write } from './screen.ts';

const [tanaka, sato, kato] = ['tanaka@engawa.example', 'sato@engawa.example', 'kato@engawa.example'];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const group = '春の展示会';

const dialog = (page: Page): Locator => page.getByRole('dialog').last();
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const card = (page: Page): Locator => page.getByRole('dialog', { name: 'プロフィール' });
const directs = (page: Page): Locator =>
  page.getByRole('navigation', { name: '会話の種類' }).getByRole('link', { name: 'ダイレクト' });
const directRow = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'ダイレクトメッセージの一覧' })
    .getByRole('link')
    .filter({ has: page.getByText(name, { exact: true }) });
const away = (page: Page): Locator => page.getByRole('button', { name: /^アーカイブ済み/ });
const back = (page: Page): Locator => button(page, '一覧に戻る');

async function choose(page: Page, name: string): Promise<void> {
  await button(page, 'その他の操作').click();
  await page.getByRole('menuitem', { name }).click();
}

async function open(page: Page, name: string): Promise<void> {
  await rail(page, 'ストリーム').click();
  await streamRow(page, name).click();
  await expect(header(page)).toHaveText(name);
}

const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: png(640, 480, (x) => [44 + x / 8, 106, 80] as const) });

test('[R1.8, R2.7, R2.11, R2.13, R2.17, R2.20.2, R2.25] Three members use direct messages, groups, files, statuses and a second device during one working day', async ({
  browser,
  product,
}) => {
  // The day has many steps.
  test.slow();
  const lead = await signIn(browser, product, tanaka);
  const designer = await signIn(browser, product, sato);
  const traveller = await signedInPage(browser, product, kato, phone);
  await traveller.goto('/#/streams');
  await expect(streamRow(traveller, '全社アナウンス')).toBeVisible();

  await rail(lead, 'ストリーム').click();
  await button(lead, 'グループを作成').click();
  await dialog(lead).getByLabel('グループ名').fill(group);
  await dialog(lead).getByLabel('説明（任意）').fill('四月の *展示会* の準備');
  for (const [typed, name] of [
    ['さとう みさき', '佐藤 美咲'],
    ['加藤', '加藤 陽菜'],
  ] as const) {
    await dialog(lead).getByRole('combobox').fill(typed);
    await dialog(lead).getByRole('option', { name }).first().click();
  }
  await dialog(lead).getByRole('button', { name: '作成', exact: true }).click();
  await expect(dialog(lead)).toBeHidden();
  await expect(header(lead)).toHaveText(group);
  await write(lead, 'おはようございます。準備を始めましょう');
  await open(designer, group);
  await expect(streamRow(traveller, group)).toContainText('[2]');
  await streamRow(traveller, group).tap();
  await expect(message(traveller, '準備を始めましょう')).toBeVisible();

  await write(designer, '会場の図面を見ています');
  const row = message(lead, '会場の図面を見ています');
  await expect(row.locator('img')).toHaveCount(1);
  await rail(designer, '設定').click();
  await button(designer, '状況をひとことで知らせる').click();
  const status = designer.getByRole('dialog', { name: 'ステータス' });
  await status.getByRole('radio', { name: '取り込み中' }).check();
  await status.getByRole('button', { name: '会議中' }).click();
  await status.getByRole('button', { name: '保存' }).click();
  await expect(row.locator('[data-mark=busy]')).toBeVisible();
  await designer.getByRole('combobox', { name: 'プロフィール写真' }).selectOption('非公開');
  for (const page of [lead, traveller]) {
    await expect(message(page, '会場の図面を見ています').locator('img')).toHaveCount(0);
  }

  await row.getByRole('button', { name: '佐藤 美咲', exact: true }).click();
  await expect(card(lead)).toContainText('取り込み中・会議中');
  await expect(card(lead)).toContainText('さとう みさき');
  await card(lead).getByRole('link', { name: 'メッセージ' }).click();
  await expect(header(lead)).toHaveText('佐藤 美咲');
  await write(lead, '会議のあとで少しお時間をください');
  await rail(designer, 'ストリーム').click();
  await expect(directs(designer)).toContainText('[');
  await directs(designer).click();
  await directRow(designer, '田中 翔').click();
  await field(designer).pressSequentially('はい、');
  await expect(lead.getByRole('status').filter({ hasText: '佐藤 美咲さんが入力中…' })).toBeVisible();
  await field(designer).pressSequentially('三時に');
  await field(designer).press('Enter');
  await expect(message(lead, 'はい、三時に')).toBeVisible();

  await open(designer, group);
  await choose(designer, 'ミュート');
  await open(designer, '雑談・縁側');
  const title = await titleOf(designer);
  await fileInput(traveller).setInputFiles([picture('会場一.png'), picture('会場二.png')]);
  await sendButton(traveller).tap();
  for (const name of ['会場一.png', '会場二.png']) {
    await expect(message(traveller, name).getByRole('link', { name: /ダウンロード$/ })).toBeVisible();
  }
  await expect(streamRow(designer, group).locator('[data-muted=true]')).toContainText('[2]');
  expect(await titleOf(designer)).toBe(title);

  await open(lead, group);
  await lead.getByRole('log').getByRole('button', { name: '会場一.png を大きく表示' }).click();
  await expect(dialog(lead)).toContainText('会場一.png');
  await lead.keyboard.press('ArrowRight');
  await expect(dialog(lead)).toContainText('会場二.png');
  await lead.keyboard.press('Escape');
  await choose(lead, 'プロフィールを表示');
  await dialog(lead).getByRole('radio', { name: 'ファイル' }).click();
  await expect(dialog(lead).getByRole('list', { name: 'ファイルの一覧' }).getByRole('listitem')).toHaveCount(2);
  await lead.keyboard.press('Escape');

  await choose(traveller, 'アーカイブ');
  await back(traveller).tap();
  await expect(away(traveller)).toBeVisible();
  await expect(streamRow(traveller, group)).toHaveCount(0);
  await write(lead, '@**加藤 陽菜** 写真をありがとうございます');
  await expect(streamRow(traveller, group)).toContainText('@1');
  await streamRow(traveller, group).tap();
  await expect(messages(traveller).last()).toHaveAttribute('data-called', 'mention');

  await open(designer, group);
  await button(designer, 'その他の操作').click();
  await expect(designer.getByRole('menuitem', { name: '削除' })).toHaveAttribute('aria-disabled', 'true');
  await designer.keyboard.press('Escape');
  await choose(lead, '削除');
  await dialog(lead).getByRole('textbox').fill(group);
  await dialog(lead).getByRole('button', { name: '削除する' }).click();
  const all = [lead, designer, traveller];
  await Promise.all(all.map((page) => expect(page.getByText(`「${group}」は削除されました。`)).toBeVisible()));
  for (const page of all) await expect(streamRow(page, group)).toHaveCount(0);

  const next = await signIn(browser, product, sato);
  await rail(next, '設定').click();
  await expect(next.getByRole('combobox', { name: 'プロフィール写真' })).toHaveValue('nobody');
  await expect(next.getByRole('button', { name: '会議中' })).toBeVisible();
});
