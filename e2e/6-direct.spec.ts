/** Direct messages: between two, and in small groups; listed apart, in the same pane and composer. */
import { expect, type Page } from '@playwright/test';
import { signedInContext, signIn, test } from './product.ts';
import { field, header, message, messages, rail, sendButton, streamRow, write } from './screen.ts';

const [tanaka, sato] = ['tanaka@engawa.example', 'sato@engawa.example'];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const directs = (page: Page) => page.getByRole('list', { name: 'ダイレクトメッセージの一覧' }).getByRole('link');
const directRow = (page: Page, name: string) => directs(page).filter({ has: page.getByText(name, { exact: true }) });
const toDirects = (page: Page) => page.getByRole('navigation', { name: '会話の種類' }).getByRole('link', { name: 'ダイレクト' });
const beginButton = (page: Page) => page.getByRole('button', { name: '新しいダイレクトメッセージ' });

/** From the button to the open conversation. */
async function begin(page: Page, ...names: readonly string[]): Promise<void> {
  await beginButton(page).click();
  const dialog = page.getByRole('dialog', { name: '新しいダイレクトメッセージ' });
  for (const name of names) {
    await dialog.getByRole('combobox').fill(name);
    await dialog.getByRole('option').filter({ hasText: name }).first().click();
  }
  await dialog.getByRole('button', { name: '会話を開く' }).click();
}

async function openDirects(page: Page): Promise<void> {
  await rail(page, 'ストリーム').click();
  await toDirects(page).click();
}

test('[R1.8] two talk directly, one at a desk and one on a telephone, apart from the streams', async ({ browser, product }) => {
  const desk = await signIn(browser, product, tanaka);
  const context = await signedInContext(browser, product, sato, phone);
  const mobile = await context.newPage();
  await mobile.goto('/#/streams');
  await expect(streamRow(mobile, '全社アナウンス')).toBeVisible();
  await openDirects(desk);
  await begin(desk, '佐藤 美咲');
  await expect(header(desk)).toHaveText('佐藤 美咲');
  await write(desk, '少しよろしいですか');

  await expect(toDirects(mobile)).toContainText('[1]');
  await toDirects(mobile).tap();
  await expect(directRow(mobile, '田中 翔')).toContainText('少しよろしいですか');
  await expect(directRow(mobile, '田中 翔')).toContainText('未読 1 件');
  await directRow(mobile, '田中 翔').tap();
  await field(mobile).fill('はい、どうぞ');
  await sendButton(mobile).tap();
  await expect(message(desk, 'はい、どうぞ')).toBeVisible();
  await expect(messages(mobile)).toHaveCount(2);
  await mobile.screenshot({ path: '/tmp/b-mobile.png' });
  await mobile.getByRole('button', { name: '一覧に戻る' }).tap();
  await expect(directRow(mobile, '田中 翔')).not.toContainText('[');
  await mobile.screenshot({ path: '/tmp/b-mobile2.png' });
  await begin(desk, '佐藤 美咲', '加藤 陽菜');
  await write(desk, '三人で決めましょう');
  await desk.screenshot({ path: '/tmp/b-desk.png' });
});
