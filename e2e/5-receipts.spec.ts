import type { Locator, Page } from '@playwright/test';
import { authorOf } from './author.ts';
import { checkScreen } from './checkScreen.ts';
import { type Product, expect, signIn, test } from './product.ts';
import { field, hold, message, rail, refusal, write } from './screen.ts';

/** A private stream for one test, whose first member creates it. */
async function stream(product: Product, name: string, ...members: readonly string[]): Promise<void> {
  const author = await authorOf(product, address(members[0] ?? ''));
  await author.createStream(name, members.map(address));
}

const address = (name: string) => `${name}@engawa.example`;
const receipt = (row: Locator): Locator => row.getByRole('button', { name: /^既読/ });
const group = (page: Page, name: string): Locator => page.getByRole('dialog').getByRole('region', { name });
const section = (page: Page): Locator => page.getByRole('region', { name: '組織の設定' });
const shownReceipts = (page: Page): Locator => section(page).getByRole('combobox', { name: '既読の表示' });
const receiptsSwitch = (page: Page): Locator => page.getByRole('switch', { name: '既読通知' });

/** Opens a stream with the pointer in the list, which counts as being active. */
async function opens(page: Page, name: string): Promise<void> {
  await rail(page, 'ストリーム').click();
  await page.getByRole('link').filter({ hasText: name }).first().click();
  await expect(field(page)).toBeVisible();
  await page.getByRole('log').hover();
}

async function switches(page: Page, on: boolean): Promise<void> {
  await rail(page, '設定').click();
  await expect(receiptsSwitch(page)).toHaveAttribute('aria-checked', String(!on));
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/settings') && answer.ok());
  await receiptsSwitch(page).click();
  await answered;
}

test('An own message shows the count of its readers, and Enter lists who has read it, who has not, and who withholds it', async ({
  browser,
  product,
}) => {
  await stream(product, '既読の確認', 'sato', 'suzuki', 'kato', 'ito');
  const kato = await signIn(browser, product, address('kato'));
  // A new stream is the newest one, which would be open beside the settings.
  await opens(kato, '全社アナウンス');
  await switches(kato, false);
  const sato = await signIn(browser, product, address('sato'));
  await opens(sato, '既読の確認');
  await write(sato, '明日の定例は 10 時からです');
  const row = message(sato, '明日の定例は 10 時からです');
  // The server has confirmed the message.
  await expect(row).toHaveAttribute('data-key', /^\d+$/);
  const before = await row.boundingBox();
  expect(before).not.toBeNull();
  await expect(receipt(row)).toHaveCount(0);

  const suzuki = await signIn(browser, product, address('suzuki'));
  await opens(suzuki, '既読の確認');
  await expect(message(suzuki, '明日の定例は 10 時からです')).toBeVisible();
  await expect(receipt(message(suzuki, '明日の定例は 10 時からです'))).toHaveCount(0);
  await sato.getByRole('log').hover();
  await expect(receipt(row)).toHaveText('既読 1');
  expect(await row.boundingBox()).toEqual(before);
  await checkScreen(sato, '44g chat, read by others');

  await receipt(row).press('Enter');
  await expect(group(sato, '既読').getByRole('listitem')).toHaveText(/鈴木/);
  await expect(group(sato, '未読').getByRole('listitem')).toHaveText(/伊藤/);
  await expect(group(sato, '非公開').getByRole('listitem')).toHaveText(/加藤/);
  await expect(group(sato, '既読').getByRole('heading', { level: 4 })).toHaveText('プロダクト開発部');
  await checkScreen(sato, '44h chat, who has read it');
  await sato.keyboard.press('Escape');
  await expect(receipt(row)).toBeFocused();

  const ito = await signIn(browser, product, address('ito'));
  await opens(ito, '既読の確認');
  await sato.getByRole('log').hover();
  await expect(receipt(row)).toHaveText('既読 2');
  await receipt(row).click();
  await expect(group(sato, '未読')).toContainText('既読を知らせている人は、全員読みました。');
  await sato.keyboard.press('Escape');

  await switches(kato, true);
  await receipt(row).click();
  await expect(group(sato, '既読').getByRole('listitem')).toHaveCount(2);
  await expect(group(sato, '未読').getByRole('listitem')).toHaveText(/加藤/);
  await sato.keyboard.press('Escape');
  await sato.route('**/messages/*/read_receipts*', (route) => route.fulfill(refusal));
  await receipt(row).click();
  await expect(sato.getByRole('dialog').getByRole('button', { name: 'もう一度試す' })).toBeVisible();
  await checkScreen(sato, '44i chat, nobody can say who has read it');
});

test('A long press on a member in the list of readers opens the member card, not the tools of a message behind', async ({
  browser,
  product,
}) => {
  await stream(product, '既読の一覧', 'sato', 'ito');
  const sato = await signIn(browser, product, address('sato'));
  await opens(sato, '既読の一覧');
  const ito = await signIn(browser, product, address('ito'));
  await opens(ito, '既読の一覧');
  for (let count = 1; count <= 30; count += 1) await write(sato, `連絡 ${count} 件目`);
  const row = message(sato, '連絡 30 件目');
  await expect(row).toHaveAttribute('data-state', 'sent');
  await ito.getByRole('log').hover();
  await sato.getByRole('log').hover();
  await expect(receipt(row)).toHaveText('既読 1');

  await receipt(row).press('Enter');
  const reader = group(sato, '既読').getByRole('listitem');
  await expect(reader).toHaveText(/伊藤/);
  await sato.keyboard.press('Home');
  await expect(row).toBeInViewport();
  const { x = 0, y = 0 } = (await reader.boundingBox()) ?? {};
  const hand = await sato.context().newCDPSession(sato);
  await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 20, y: y + 10 }] });
  // Longer than the long press that opens the message tools.
  await sato.waitForTimeout(800);
  await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(sato.getByRole('dialog', { name: 'プロフィール' })).toContainText('伊藤 さくら');
  await expect(sato.getByRole('dialog')).toHaveCount(2);
  for (let open = 2; open > 0; open -= 1) await sato.keyboard.press('Escape');
  await expect(receipt(row)).toBeFocused();
});

test('[R2.25.1, R2.25.2] A member who switches read receipts off is listed as withheld, sees no receipts, and has them off on all devices', async ({
  browser,
  product,
}) => {
  await stream(product, '既読の設定', 'sato', 'ito');
  const sato = await signIn(browser, product, address('sato'));
  await opens(sato, '既読の設定');
  await write(sato, '一つ目です');
  const ito = await signIn(browser, product, address('ito'));
  const itoElsewhere = await signIn(browser, product, address('ito'));
  await rail(itoElsewhere, '設定').click();
  await opens(ito, '既読の設定');
  await sato.getByRole('log').hover();
  await expect(receipt(message(sato, '一つ目です'))).toHaveText('既読 1');
  await opens(ito, '既読の設定');
  await write(ito, '返事です');
  await sato.getByRole('log').hover();
  await expect(receipt(message(ito, '返事です'))).toHaveText('既読 1');

  // The count is still being fetched when the receipt is pressed.
  const count = await hold(sato, '**/api/v1/read_receipts?*');
  await switches(ito, false);
  await expect(receiptsSwitch(itoElsewhere)).toHaveAttribute('aria-checked', 'false');
  await itoElsewhere.reload();
  await expect(receiptsSwitch(itoElsewhere)).toHaveAttribute('aria-checked', 'false');
  await expect(receipt(message(ito, '返事です'))).toHaveCount(0);
  await receipt(message(sato, '一つ目です')).click();
  await expect(group(sato, '非公開').getByRole('listitem')).toHaveText(/伊藤/);
  for (const name of ['既読 0', '未読 0']) await expect(group(sato, name)).toContainText('既読を知らせている人はいません。');
  await sato.keyboard.press('Escape');
  count();
  await expect(receipt(message(sato, '一つ目です'))).toHaveCount(0);

  await switches(ito, true);
  await expect(receiptsSwitch(itoElsewhere)).toHaveAttribute('aria-checked', 'true');
  await sato.getByRole('log').hover();
  await expect(receipt(message(sato, '一つ目です'))).toHaveText('既読 1');
});

test('The page fetches read receipts of visible messages only, and none while the window has no focus', async ({
  browser,
  product,
}) => {
  await stream(product, '既読の範囲', 'sato', 'ito');
  const sato = await signIn(browser, product, address('sato'));
  const requests: number[][] = [];
  sato.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/read_receipts')) requests.push(JSON.parse(searchParams.get('messages') ?? '[]'));
  });
  await opens(sato, '既読の範囲');
  for (let count = 1; count <= 30; count += 1) await write(sato, `連絡 ${count} 件目`);
  await expect(message(sato, '連絡 30 件目')).toHaveAttribute('data-state', 'sent');
  await sato.reload();
  await expect(message(sato, '連絡 30 件目')).toBeVisible();
  requests.length = 0;
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  const newest = Math.max(...requests.flat());
  expect(Math.max(...requests.map(({ length }) => length))).toBeLessThan(20);
  await sato.getByRole('log').press('Home');
  await expect.poll(() => Math.max(0, ...(requests.at(-1) ?? []))).toBeLessThan(newest - 8);

  await sato.clock.install();
  await sato.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
  requests.length = 0;
  await sato.clock.runFor(60_000);
  expect(requests).toEqual([]);
  await sato.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });
  await sato.clock.runFor(10_000);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
});

test('An administrator chooses who sees read receipts, which applies at once on all pages, and members cannot choose', async ({
  browser,
  product,
}) => {
  await stream(product, '既読の公開', 'sato', 'suzuki', 'ito');
  const suzuki = await signIn(browser, product, address('suzuki'));
  await opens(suzuki, '既読の公開');
  const sato = await signIn(browser, product, address('sato'));
  await opens(sato, '既読の公開');
  await write(sato, '全員への連絡です');
  await expect(message(suzuki, '全員への連絡です')).toBeVisible();
  await sato.getByRole('log').hover();
  await expect(receipt(message(sato, '全員への連絡です'))).toHaveText('既読 1');
  const requests: string[] = [];
  const errors: string[] = [];
  suzuki.on('request', (request) => request.url().includes('read_receipts') && requests.push(request.url()));
  suzuki.on('console', (said) => said.type() === 'error' && errors.push(said.text()));

  const owner = await signIn(browser, product, address('takahashi.koichi'));
  const ownerElsewhere = await signIn(browser, product, address('takahashi.koichi'));
  for (const page of [owner, ownerElsewhere]) await rail(page, '設定').click();
  await expect(shownReceipts(owner)).toHaveValue('own');
  await shownReceipts(owner).selectOption('すべてのメッセージ');
  await expect(shownReceipts(ownerElsewhere)).toHaveValue('all');
  const others = receipt(message(suzuki, '全員への連絡です'));
  await suzuki.getByRole('log').hover();
  await expect(others).toHaveText('既読 1');
  await others.click();
  await expect(group(suzuki, '既読').getByRole('listitem')).toHaveText(/鈴木/);
  await suzuki.keyboard.press('Escape');

  expect(errors).toEqual([]);
  await shownReceipts(owner).selectOption('表示しない');
  await expect(others).toHaveCount(0);
  await expect(receipt(message(sato, '全員への連絡です'))).toHaveCount(0);
  requests.length = 0;
  // Requests sent before the event may have been refused.
  errors.length = 0;
  await suzuki.reload();
  await expect(message(suzuki, '全員への連絡です')).toBeVisible();
  await suzuki.getByRole('log').hover();
  await write(suzuki, '承知しました');
  await expect(message(suzuki, '承知しました')).toHaveAttribute('data-state', 'sent');
  await suzuki.waitForTimeout(1500);
  expect([requests, errors]).toEqual([[], []]);
  await rail(suzuki, '設定').click();
  await expect(suzuki.getByText('組織の設定により、既読はだれにも表示されません。')).toBeVisible();
  await expect(receiptsSwitch(suzuki)).toHaveCount(0);
  await expect(section(suzuki)).toHaveCount(0);

  const answer = await hold(owner, '**/api/v1/realm');
  await shownReceipts(owner).selectOption('自分のメッセージだけ');
  answer({ status: 500, json: { result: 'error', code: 'INTERNAL', msg: 'broken' } });
  await expect(owner.getByRole('alert')).toBeVisible();
  await expect(shownReceipts(owner)).toHaveValue('none');
  await owner.unroute('**/api/v1/realm');
  await shownReceipts(owner).selectOption('自分のメッセージだけ');
  await expect(receiptsSwitch(suzuki)).toHaveAttribute('aria-checked', 'true');
  await sato.getByRole('log').hover();
  await expect(receipt(message(sato, '全員への連絡です'))).toHaveText('既読 1');
  await checkScreen(owner, '84c settings, organisation');
});
