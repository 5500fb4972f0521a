import { expect, type Locator, type Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { signedInContext, signedInPage, signIn, test } from './product.ts';
import { department, field, header, mentionCandidates, message, messages, rail, sendButton, streamRow, write } from './screen.ts';

const [tanaka, sato, kato, ito] = ['tanaka@engawa.example', 'sato@engawa.example', 'kato@engawa.example', 'ito@engawa.example'];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const directs = (page: Page): Locator => page.getByRole('list', { name: 'ダイレクトメッセージの一覧' }).getByRole('link');
const directRow = (page: Page, name: string): Locator => directs(page).filter({ has: page.getByText(name, { exact: true }) });
const toDirects = (page: Page): Locator =>
  page.getByRole('navigation', { name: '会話の種類' }).getByRole('link', { name: 'ダイレクト' });
const beginDialog = (page: Page): Locator => page.getByRole('dialog', { name: '新しいダイレクトメッセージ' });
const writers = (page: Page): Locator => page.getByRole('status').filter({ hasText: '入力中' });
const tools = (page: Page): Locator => page.getByRole('toolbar', { name: 'メッセージの操作' });

async function openDirects(page: Page): Promise<void> {
  await rail(page, 'ストリーム').click();
  await toDirects(page).click();
}

/** The option of a person, found by the start of its name, because options of departments contain the names of their members. */
const offered = (page: Page, name: string): Locator =>
  beginDialog(page)
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first();

async function begin(page: Page, ...names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: '新しいダイレクトメッセージ' }).click();
  for (const name of names) {
    await beginDialog(page).getByRole('combobox').fill(name);
    await offered(page, name).click();
  }
  await beginDialog(page).getByRole('button', { name: '会話を開く' }).click();
}

test('[R1.8, R2.20.2] Two members exchange direct messages, which do not appear among the streams', async ({
  browser,
  product,
}) => {
  const desk = await signIn(browser, product, tanaka);
  const mobile = await signedInPage(browser, product, kato, phone);
  await mobile.goto('/#/streams');
  await expect(streamRow(mobile, '全社アナウンス')).toBeVisible();
  await openDirects(desk);
  await begin(desk, '加藤 陽菜');
  await expect(header(desk)).toHaveText('加藤 陽菜');
  await expect(desk.getByText('(2)')).toHaveCount(0);
  await write(desk, '少しよろしいですか');
  await expect(directRow(desk, '加藤 陽菜')).toContainText('田中 翔: 少しよろしいですか');

  await expect(rail(mobile, 'ストリーム')).toHaveAccessibleName(/うちダイレクト 1 件$/);
  await expect(mobile).toHaveTitle(/^\(\d+\)/);
  await expect(toDirects(mobile)).toContainText('[1]');
  await expect(mobile.getByRole('list', { name: 'ストリームの一覧' })).not.toContainText('少しよろしいですか');
  await toDirects(mobile).tap();
  await expect(directRow(mobile, '田中 翔')).toContainText('未読 1 件');
  await directRow(mobile, '田中 翔').tap();
  await expect(header(mobile)).toHaveText('田中 翔');

  await expect(directRow(desk, '加藤 陽菜')).toContainText('オンライン');
  await expect(mobile.locator('main header')).toContainText('オンライン');

  await field(mobile).pressSequentially('はい、どう');
  await expect(writers(desk)).toHaveText('加藤 陽菜さんが入力中…');
  await expect(writers(mobile)).toHaveCount(0);
  await field(mobile).pressSequentially('ぞ');
  await sendButton(mobile).tap();
  await expect(message(desk, 'はい、どうぞ')).toBeVisible();
  await expect(writers(desk)).toHaveCount(0);

  await expect(message(desk, '少しよろしいですか')).toContainText('既読 1');
  await mobile.getByRole('button', { name: '一覧に戻る' }).tap();
  await expect(directRow(mobile, '田中 翔')).not.toContainText('[');
  await expect(toDirects(mobile)).toHaveCount(0);
});

test('[R1.8, R2.20.2] A member who stops typing, or leaves the conversation, is no longer shown as typing', async ({
  browser,
  product,
}) => {
  const [page, other] = [await signIn(browser, product, sato), await signIn(browser, product, tanaka)];
  for (const each of [page, other]) {
    await department(each, 'プロダクト開発部').click();
    await expect(header(each)).toHaveText('プロダクト開発部');
    // The clock is stopped, so that nobody counts as idle and no typing report expires.
    await each.clock.install();
    await each.clock.pauseAt(Date.now() + 10_000);
  }
  await field(page).pressSequentially('書き');
  await expect(writers(other)).toHaveText('佐藤 美咲さんが入力中…');
  await field(page).fill('');
  await expect(writers(other)).toHaveCount(0);
  await field(page).pressSequentially('また');
  await expect(writers(other)).toHaveText('佐藤 美咲さんが入力中…');
  await rail(page, 'ストリーム').click();
  await streamRow(page, '全社アナウンス').click();
  await expect(header(page)).toHaveText('全社アナウンス');
  await expect(writers(other)).toHaveCount(0);
});

test('[R1.8, R2.2] A direct conversation of three is named after the others, has one link, and shows no messages to non-participants', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, tanaka);
  await openDirects(page);
  await begin(page, '伊藤 さくら', '加藤 陽菜');
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');
  await expect(page.getByTitle('メンバー 3 人')).toHaveText('(3)');
  await write(page, '三人で決めましょう');
  await expect(message(page, '三人で決めましょう').locator('time')).toBeVisible();

  await page.reload();
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');
  await expect(message(page, '三人で決めましょう')).toBeVisible();
  await directRow(page, '鈴木 健太').click();
  await expect(header(page)).toHaveText('鈴木 健太');
  await begin(page, '加藤 陽菜', '伊藤 さくら');
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');
  await expect(message(page, '三人で決めましょう')).toBeVisible();
  await page.goBack();
  await expect(header(page)).toHaveText('鈴木 健太');
  await page.goForward();
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');

  const address = await page.evaluate(() => location.hash);
  const other = await signedInPage(browser, product, ito);
  await other.goto(`/${address}`);
  await expect(header(other)).toHaveText('田中 翔、加藤 陽菜');
  await expect(message(other, '三人で決めましょう')).toBeVisible();
  await expect(directRow(other, '田中 翔、加藤 陽菜')).toHaveAttribute('aria-current', 'true');
  const third = await signedInPage(browser, product, kato);
  await third.goto(`/${address}`);
  for (const each of [other, third]) await expect(field(each)).toBeVisible();
  for (const each of [other, third]) await field(each).pressSequentially('私も');
  await expect(writers(page)).toHaveText('伊藤 さくらさんと加藤 陽菜さんが入力中…');
  await checkScreen(page, '28 direct messages, of a group, while others write');

  const [me = '', ...others] = address.replace('#/direct/', '').split(',');
  await page.goto(`/#/direct/${others.join()}`);
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');
  await page.goto(`/#/direct/${me},99999`);
  await expect(page.getByText('この会話は開けません')).toBeVisible();
  const stranger = await signIn(browser, product, sato);
  await stranger.goto(`/${address}`);
  await expect(messages(stranger)).toHaveCount(0);
});

test('[R1.8, R4.6] All devices of a member show the same count of unread direct messages, until one device reads them', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, sato);
  const [desk, laptop] = [await signIn(browser, product, ito), await signIn(browser, product, ito)];
  await openDirects(page);
  await begin(page, '伊藤 さくら');
  await expect(header(page)).toHaveText('伊藤 さくら');
  await write(page, '確認をお願いします');
  for (const device of [desk, laptop]) {
    await openDirects(device);
    await expect(directRow(device, '佐藤 美咲')).toContainText('[1]');
    await device.reload();
    await expect(directRow(device, '佐藤 美咲')).toContainText('[1]');
    await expect(rail(device, 'ストリーム')).toHaveAccessibleName(/うちダイレクト \d+ 件$/);
  }
  await directRow(desk, '佐藤 美咲').click();
  await expect(message(desk, '確認をお願いします')).toBeVisible();
  for (const device of [desk, laptop]) await expect(directRow(device, '佐藤 美咲')).not.toContainText('[');
  await laptop.reload();
  await expect(directRow(laptop, '佐藤 美咲')).toBeVisible();
  await expect(directRow(laptop, '佐藤 美咲')).not.toContainText('[');
});

test('[R1.8, R2.9.1, R2.9.2] A search finds a direct message, and the result opens it', async ({ browser, product }) => {
  const [page, other] = [await signIn(browser, product, tanaka), await signIn(browser, product, kato)];
  await openDirects(page);
  await begin(page, '加藤 陽菜');
  await expect(header(page)).toHaveText('加藤 陽菜');
  await write(page, 'ひみつの鰻重を予約しました');
  await expect(message(page, 'ひみつの鰻重').locator('time')).toBeVisible();

  for (const [who, name] of [
    [page, '加藤 陽菜'],
    [other, '田中 翔'],
  ] as const) {
    await who.keyboard.press('Control+k');
    const panel = who.getByRole('dialog');
    if (who === page) await expect(panel.getByRole('radio', { name: new RegExp(name) })).toBeChecked();
    await panel.getByRole('combobox').fill('うなじゅう');
    await panel.getByRole('combobox').fill('鰻重');
    const hit = panel.getByRole('option').filter({ hasText: 'ひみつの鰻重' });
    if (who === other) await panel.getByRole('radio', { name: 'すべての会話' }).check();
    await expect(hit).toContainText(name);
    await hit.click();
    await expect(header(who)).toHaveText(name);
    await expect(message(who, 'ひみつの鰻重')).toBeInViewport();
  }
});

test('[R1.8] In a direct conversation, the composer offers its participants after @, and a star is listed with their names', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, tanaka);
  await openDirects(page);
  await begin(page, '加藤 陽菜', '伊藤 さくら');
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');
  await field(page).pressSequentially('@');
  const candidates = mentionCandidates(page).getByRole('option');
  await expect(candidates.filter({ hasText: '加藤 陽菜' })).toHaveCount(1);
  await expect(candidates.filter({ hasText: '鈴木 健太' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await field(page).fill('星をつける一言');
  await field(page).press('Enter');
  await message(page, '星をつける一言').hover();
  await tools(page).getByRole('button', { name: 'スターを付ける' }).click();
  await rail(page, 'ストリーム').click();
  await page.getByRole('link', { name: 'メンション' }).click();
  await page.getByRole('radio', { name: 'スター' }).check();
  const row = page.getByRole('list', { name: 'スター' }).getByRole('link').filter({ hasText: '星をつける一言' });
  await expect(row).toContainText('伊藤 さくら、加藤 陽菜');
  await row.click();
  await expect(header(page)).toHaveText('伊藤 さくら、加藤 陽菜');
});

test('[R1.8] A member opens the direct conversations, picks a person and sends a message by keyboard alone', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, tanaka);
  await rail(page, 'ストリーム').focus();
  await page.keyboard.press('Enter');
  await toDirects(page).focus();
  await page.keyboard.press('Enter');
  await directRow(page, '鈴木 健太').focus();
  await page.keyboard.press('Home');
  await expect(directs(page).first()).toBeFocused();
  await page.getByRole('button', { name: '新しいダイレクトメッセージ' }).focus();
  await page.keyboard.press('Enter');
  await expect(beginDialog(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('なかじま');
  await expect(offered(page, '中島 健')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await beginDialog(page).getByRole('button', { name: '会話を開く' }).focus();
  await page.keyboard.press('Enter');
  await expect(header(page)).toHaveText('中島 健');
  await expect(page.getByRole('log')).toContainText('メッセージがありません');
  await checkScreen(page, '44 chat, empty');
  await field(page).focus();
  await page.keyboard.type('鍵盤だけで書きました');
  await page.keyboard.press('Enter');
  await expect(messages(page)).toHaveCount(1);
  await expect(directs(page).first()).toContainText('中島 健');
  await checkScreen(page, '28 direct messages');
});

test('[R1.8] A direct conversation with a deactivated member has no composer and can only be read', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, tanaka);
  await openDirects(page);
  await begin(page, '吉田 拓海');
  await write(page, 'お世話になりました');
  await expect(message(page, 'お世話になりました').locator('time')).toBeVisible();
  const [, id = ''] = (await page.evaluate(() => location.hash)).replace('#/direct/', '').split(',');

  const owner = await signedInContext(browser, product, 'takahashi.koichi@engawa.example');
  const gone = await owner.request.delete(`/api/v1/users/${id}`, { headers: { Origin: product.url } });
  expect(gone.status(), await gone.text()).toBe(200);
  await expect(page.getByText('吉田 拓海さんは利用を終えているため、送信できません')).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  await page.reload();
  await expect(message(page, 'お世話になりました')).toBeVisible();
  await expect(page.getByText('送信できません')).toBeVisible();
});

test('[R1.8, R2.11.1] The list finds a direct conversation by reading, and its profile opens the member cards of the participants', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, ito);
  await openDirects(page);
  await begin(page, '加藤 陽菜');
  await expect(header(page)).toHaveText('加藤 陽菜');
  const search = page.locator('#panel').getByRole('searchbox');
  await search.fill('かとう');
  await expect(directRow(page, '加藤 陽菜')).toBeVisible();
  await search.fill('さとう');
  await expect(directRow(page, '加藤 陽菜')).toHaveCount(0);
  await checkScreen(page, '28 direct messages, nobody found');

  await page.getByRole('button', { name: 'その他の操作' }).click();
  await page.getByRole('menuitem', { name: 'プロフィールを表示' }).click();
  await expect(page.getByRole('dialog')).toContainText('加藤 陽菜');
  await checkScreen(page, '28 direct messages, who takes part');
  await page.getByRole('dialog').getByRole('button', { name: '加藤 陽菜' }).click();
  await expect(page.getByRole('button', { name: 'メールアドレスをコピー' })).toBeVisible();
});

test('[R1.8] The dialog for a new direct message requires a recipient', async ({ browser, product }) => {
  const page = await signIn(browser, product, tanaka);
  await openDirects(page);
  await page.getByRole('button', { name: '新しいダイレクトメッセージ' }).click();
  await expect(beginDialog(page).getByRole('option').first()).toBeVisible();
  await checkScreen(page, '29 new direct message');
  await beginDialog(page).getByRole('button', { name: '会話を開く' }).click();
  await expect(beginDialog(page)).toContainText('宛先を選んでください。');
  await checkScreen(page, '29 new direct message, to nobody');
});
