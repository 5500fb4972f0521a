import type { Locator, Page } from '@playwright/test';
import { authorOf } from './author.ts';
import { checkScreen } from './checkScreen.ts';
import { type Product, expect, signIn, test } from './product.ts';
import { arrived, field, header, message, rail, write } from './screen.ts';

/** A private stream for one test, whose first member creates it. */
async function stream(product: Product, name: string, ...members: readonly string[]): Promise<void> {
  const author = await authorOf(product, address(members[0] ?? ''));
  await author.createStream(name, members.map(address));
}

const address = (name: string) => `${name}@engawa.example`;
const card = (page: Page): Locator => page.getByRole('dialog', { name: 'プロフィール' });
const senderOf = (row: Locator, name: string): Locator => row.getByRole('button', { name, exact: true });

async function opens(page: Page, name: string): Promise<void> {
  await rail(page, 'ストリーム').click();
  await page.getByRole('link').filter({ hasText: name }).first().click();
  await expect(field(page)).toBeVisible();
  await page.getByRole('log').hover();
}

/** Two members in a stream, where the second has written a message that the first sees. */
async function two(
  product: Product,
  browser: Parameters<typeof signIn>[0],
  name: string,
  one: string,
  other: string,
  ...others: readonly string[]
) {
  await stream(product, name, one, other, ...others);
  const first = await signIn(browser, product, address(one));
  const second = await signIn(browser, product, address(other));
  await opens(first, name);
  await opens(second, name);
  await write(second, 'おはようございます');
  const row = message(first, 'おはようございます');
  await expect(row).toBeVisible();
  return { first, second, row };
}

async function saved(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.url().endsWith(path) && answer.ok());
  await act();
  await answered;
}

test('[R2.24.1, R2.25.2] Other members see the text and end of a member’s status at once, and no longer after its end', async ({
  browser,
  product,
}) => {
  const { first, second, row } = await two(product, browser, '状況の確認', 'kato', 'yamamoto');
  await rail(second, '設定').click();
  await second.getByRole('button', { name: '状況をひとことで知らせる' }).click();
  const form = second.getByRole('dialog', { name: 'ステータス' });
  await form.getByRole('radio', { name: '取り込み中' }).check();
  await form.getByRole('button', { name: '会議中' }).click();
  await expect(form.getByLabel('ひとこと', { exact: true })).toHaveValue('会議中');
  await form.getByRole('combobox', { name: '終了' }).selectOption('今日中');
  await checkScreen(second, '90 status');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toBeHidden();
  await expect(second.getByRole('button', { name: '会議中・23:59 まで' })).toBeVisible();

  await expect(row.locator('[data-mark=busy]')).toBeVisible();
  await senderOf(row, '山本 葵').click();
  await expect(card(first).getByText('取り込み中・会議中')).toBeVisible();
  await expect(card(first).getByText('23:59 まで')).toBeVisible();
  await expect(card(first).getByRole('definition').last(), '[R9.5] the clock where they are').toHaveText(/^\d\d:\d\d$/);
  await saved(second, '/users/me/status', () =>
    second.getByRole('combobox', { name: 'ステータス' }).first().selectOption('対応可能'),
  );
  await expect(card(first).getByText('取り込み中・会議中')).toHaveCount(0);
  await expect(card(first).getByText('会議中', { exact: true })).toBeVisible();
});

test('[R2.19, R2.20.2, R2.25.2] Other members see an active member as online, until that member hides their presence', async ({
  browser,
  product,
}) => {
  const { first, second, row } = await two(product, browser, '在席の確認', 'ito', 'ogawa');
  await second.mouse.move(200, 200);
  await senderOf(row, '小川 悠斗').click();
  await expect(card(first).getByRole('paragraph').filter({ hasText: 'オンライン' })).toBeVisible();
  await rail(second, '設定').click();
  await saved(second, '/api/v1/settings', () => second.getByRole('switch', { name: '最終アクティブ' }).click());
  await expect(card(first).getByText('オンライン')).toHaveCount(0);
  await expect(card(first).getByRole('heading', { name: '小川 悠斗' })).toBeVisible();
});

test('[R2.25.3] A member’s photo disappears from other members’ screens when its owner hides it, and returns when shown again', async ({
  browser,
  product,
}) => {
  const { first, second, row } = await two(product, browser, '写真の確認', 'suzuki', 'takahashi');
  await expect(row.locator('img')).toHaveCount(1);
  await rail(second, '設定').click();
  const photo = second.getByRole('combobox', { name: 'プロフィール写真' });
  await saved(second, '/api/v1/settings', () => photo.selectOption('非公開'));
  await expect(row.locator('img')).toHaveCount(0);
  await expect(row).toContainText('高');
  await first.reload();
  await expect(message(first, 'おはようございます').locator('img')).toHaveCount(0);
  await saved(second, '/api/v1/settings', () => photo.selectOption('全員'));
  await expect(message(first, 'おはようございます').locator('img')).toHaveCount(1);
});

test('[R2.25.3] A member shows their photo only to a chosen department, and the settings name that department', async ({
  browser,
  product,
}) => {
  const { second, row } = await two(product, browser, '部署の確認', 'ueda', 'sato', 'suzuki');
  await expect(row.locator('img')).toHaveCount(1);
  await rail(second, '設定').click();
  await second.getByRole('combobox', { name: 'プロフィール写真' }).selectOption('選択した人');
  const form = second.getByRole('dialog', { name: 'プロフィール写真の公開範囲' });
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form.getByRole('alert')).toContainText('だれも選ばれていません');
  await form.getByRole('combobox').fill('プロダクト開発部');
  await form.getByRole('option', { name: /プロダクト開発部 全員/ }).click();
  await expect(form.getByText('0 人と 1 部署を選択中')).toBeVisible();
  await checkScreen(second, '91 audience');
  await saved(second, '/api/v1/settings', () => form.getByRole('button', { name: '保存' }).click());
  await expect(second.getByText('プロダクト開発部', { exact: true }).first()).toBeVisible();
  // 上田 belongs to another department, 鈴木 to this one.
  await expect(row.locator('img')).toHaveCount(0);
  const suzuki = await signIn(browser, product, address('suzuki'));
  await opens(suzuki, '部署の確認');
  await expect(message(suzuki, 'おはようございます').locator('img')).toHaveCount(1);
});

test('[I6.3] The member card shows a member’s name and posts, opens and closes by keyboard, and returns the focus', async ({
  browser,
  product,
}) => {
  const { first, row } = await two(product, browser, 'カードの確認', 'kimura', 'tanaka');
  await row.focus();
  await first.keyboard.press('Enter');
  await first.getByRole('menuitem', { name: '田中 翔のプロフィールを表示' }).press('Enter');
  await expect(card(first).getByRole('heading', { name: '田中 翔' })).toBeVisible();
  await expect(card(first)).toContainText('たなか しょう');
  await expect(card(first)).toContainText('リードエンジニア');
  await expect(card(first).getByRole('listitem')).toHaveText(['プロダクト開発部', 'デザイン室 兼']);
  await expect(card(first)).toContainText('tanaka@engawa.example');
  await expect(card(first).getByRole('link', { name: 'メッセージ' })).toHaveAttribute('href', /^#\/direct\/\d+$/);
  await checkScreen(first, '89 member card');
  await first.keyboard.press('Escape');
  await expect(card(first)).toHaveCount(0);
  await expect(row).toBeFocused();
  await senderOf(row, '田中 翔').click();
  await card(first).getByRole('button', { name: '音声通話' }).click();
  await expect(first.getByRole('dialog', { name: '音声通話' })).toContainText('田中 翔');
});

test('[R1.8, I6.3] The message button of a member card opens the direct conversation with the focus in the field, from every conversation', async ({
  browser,
  product,
}) => {
  const { first, second, row } = await two(product, browser, 'カードから', 'kimura', 'tanaka');
  const fromCard = async (opener: Locator, text: string) => {
    await opener.click();
    await card(first).getByRole('link', { name: 'メッセージ' }).click();
    await expect(header(first)).toHaveText('田中 翔');
    await expect(field(first)).toBeFocused();
    await first.keyboard.type(text);
    await expect(field(first)).toHaveValue(text);
    await first.keyboard.press('Enter');
  };
  await fromCard(senderOf(row, '田中 翔'), '相談です');
  const bar = await first.locator('main header').boundingBox();
  const picture = await first.locator('main header [data-size=header]').first().boundingBox();
  expect(picture && bar && Math.abs(picture.y + picture.height / 2 - (bar.y + bar.height / 2))).toBeLessThanOrEqual(1);

  await second.goto('/#/directs');
  await second.getByRole('link').filter({ hasText: '木村' }).first().click();
  await write(second, 'どうぞ');
  await fromCard(senderOf(message(first, 'どうぞ'), '田中 翔'), 'では');
});

test('[I6.3, R2.21] On a phone, the member card opens at the bottom, and the card of the own member opens the profile form', async ({
  browser,
  product,
}) => {
  await stream(product, '電話の確認', 'kondo', 'tanaka');
  const page = await signIn(browser, product, address('kondo'), { hasTouch: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await rail(page, 'ストリーム').click();
  await page.getByRole('link').filter({ hasText: '電話の確認' }).click();
  await field(page).fill('こんにちは');
  await page.getByRole('button', { name: '送信', exact: true }).click();
  const row = message(page, 'こんにちは');
  await arrived(row);
  await row.locator('button').first().click();
  await expect(card(page)).toBeVisible();
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  const box = await card(page).boundingBox();
  expect(box?.x).toBe(0);
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844);
  await card(page).getByRole('button', { name: 'プロフィールを編集' }).click();
  await expect(page.getByRole('dialog', { name: 'プロフィールを編集' })).toBeVisible();
});
