import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { type Author, authorOf } from './author.ts';
import { open } from './messageList.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, type Product, signedInPage, signIn, test as base } from './product.ts';
import {
  arrived,
  contentSentBy,
  field,
  header,
  hold,
  mentionCandidates,
  message,
  messages,
  picker,
  rail,
  scriptsOnDemand,
  streamRow,
  write,
} from './screen.ts';

const me = 'tanaka@engawa.example';
const other = 'sato@engawa.example';
let streamCount = 0;

interface Stream {
  readonly name: string;
  readonly author: Author;
}

/** A new stream of both members, so that tests do not see each other's messages. */
async function newStream(product: Product): Promise<Stream> {
  streamCount += 1;
  const name = `道具の部屋 ${streamCount}`;
  const author = await authorOf(product, other);
  await author.createStream(name, [me, other]);
  return { name, author };
}

async function openStream(browser: Browser, product: Product, email: string, stream: Stream, options?: BrowserContextOptions) {
  const page = await signIn(browser, product, email, options);
  await open(page, stream.name);
  return page;
}

/** A stream with one message of the other member, and the member in it. */
const test = base.extend<{ stream: Stream }>({
  stream: async ({ product }, provide) => {
    const stream = await newStream(product);
    await stream.author.send(stream.name, 'はじめに');
    await provide(stream);
  },
  page: async ({ browser, product, stream }, provide) => provide(await openStream(browser, product, me, stream)),
});

const bar = (page: Page) => page.getByRole('toolbar', { name: 'メッセージの操作' });
const menu = (page: Page) => page.getByRole('menu', { name: 'メッセージの操作' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const editor = (page: Page) => page.getByRole('textbox', { name: 'メッセージを編集' });
/** The quotes above the text of the composer. */
const quoteCards = (page: Page): Locator => page.getByRole('list', { name: '引用' }).getByRole('listitem');
const chips = (row: Locator) => row.getByRole('list', { name: 'リアクション' }).getByRole('button');

async function choose(page: Page, row: Locator, name: string): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name: 'その他' }).click();
  await menu(page).getByRole('menuitem', { name, exact: true }).click();
}

test('[R2.14] Only the message under the mouse shows its tools', async ({ browser, product }) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '一つめ');
  await stream.author.send(stream.name, '二つめ');
  const page = await openStream(browser, product, me, stream);
  await message(page, '一つめ').hover();
  await expect(message(page, '一つめ').getByRole('toolbar')).toBeVisible();
  await message(page, '二つめ').hover();
  await expect(bar(page)).toHaveCount(1);
  await expect(message(page, '二つめ').getByRole('toolbar')).toBeVisible();
  await field(page).hover();
  await expect(bar(page)).toHaveCount(0);

  await message(page, '一つめ').hover();
  await bar(page).getByRole('button', { name: 'その他' }).click();
  await expect(menu(page).getByRole('menuitem')).toHaveText([
    '引用して返信',
    'スターを付ける',
    'ここから未読にする',
    'リンクをコピー',
    'テキストをコピー',
    '佐藤 美咲のプロフィールを表示',
  ]);
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await message(page, '一つめ').press('Enter');
  await expect(menu(page)).toBeVisible();
  await checkScreen(page, '49b message menu');
});

test('[R2.14, R2.21] The focused message shows its tools as soon as their code is loaded', async ({ browser, product }) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '一つめ');
  const page = await signedInPage(browser, product, me);
  const release = await hold(page, await scriptsOnDemand(page));
  await page.goto(`/#/stream/${await stream.author.streamId(stream.name)}`);
  await message(page, '一つめ').focus();
  await expect(bar(page)).toHaveCount(0);
  release();
  await expect(message(page, '一つめ').getByRole('toolbar')).toBeVisible();
});

test('[R4.9] All members see an edited message at once and can open its history', async ({ page, stream, browser, product }) => {
  const theirs = await openStream(browser, product, other, stream);
  await write(page, '会議は三時です');
  await field(page).fill('書きかけ');
  await choose(page, message(page, '会議は三時です'), '編集');
  await expect(editor(page)).toHaveValue('会議は三時です');
  await editor(page).fill('会議は四時です');
  await editor(page).press('Enter');
  await expect(message(page, '会議は四時です')).toContainText('(編集済み)');
  await expect(message(theirs, '会議は四時です')).toContainText('(編集済み)');
  await expect(field(page)).toHaveValue('書きかけ');

  await page.reload();
  await message(page, '会議は四時です').getByRole('button', { name: '(編集済み)' }).click();
  await expect(dialog(page, '編集履歴').getByRole('listitem')).toHaveText([/現在.*会議は四時です/s, /最初.*会議は三時です/s]);
  await checkScreen(page, '49d edit history');
});

test('[R4.9, R4.8.1, R4.7.2] In an empty composer, the up arrow edits the member’s last message, and Escape cancels the edit', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  const page = await signIn(browser, product, me);
  await rail(page, 'ストリーム').click();
  await streamRow(page, stream.name).click();
  await write(page, '私の一言');
  await arrived(message(page, '私の一言'));
  await stream.author.send(stream.name, '返事です');
  await expect(message(page, '返事です')).toBeVisible();

  await field(page).press('ArrowUp');
  await expect(editor(page)).toHaveValue('私の一言');
  await editor(page).fill('私の二言');
  for (const key of ['Escape', 'Enter']) {
    await editor(page).dispatchEvent('keydown', { key, keyCode: 229, bubbles: true });
    await expect(editor(page)).toHaveValue('私の二言');
  }
  await editor(page).press('Escape');
  await expect(field(page)).toBeFocused();
  await expect(message(page, '私の一言')).toBeVisible();
  await page.getByRole('button', { name: '元に戻す' }).click();
  await expect(editor(page)).toHaveValue('私の二言');
  await page.reload();
  await expect(editor(page)).toHaveValue('私の二言');
  await editor(page).press('Escape');
  await expect(field(page)).toBeFocused();
  await page.getByRole('button', { name: '元に戻す' }).click();
  await expect(editor(page)).toHaveValue('私の二言');

  await message(page, '返事です').hover();
  await bar(page).getByRole('button', { name: '引用して返信' }).click();
  await expect(quoteCards(page)).toHaveText([/返事です$/]);
  await choose(page, message(page, '私の一言'), '編集');
  await expect(editor(page)).toHaveValue('私の二言');
  await checkScreen(page, '49e edit');
});

test('[I5.5, R4.9, R4.7.2] The editor of a message offers mentions after @, and Escape closes their list and not the editor', async ({
  page,
  stream,
  browser,
  product,
}) => {
  const reader = await openStream(browser, product, other, stream);
  await write(page, '確認をお願いします');
  await choose(page, message(page, '確認をお願いします'), '編集');
  await editor(page).press('Home');
  await editor(page).pressSequentially('@さとう');
  const offered = mentionCandidates(page);
  await expect(offered.getByRole('option').first()).toContainText('佐藤 美咲');
  await editor(page).press('Escape');
  await expect(offered).toHaveCount(0);
  await expect(editor(page)).toHaveValue('@さとう確認をお願いします');
  for (const _ of '@さとう') await editor(page).press('Backspace');
  await editor(page).pressSequentially('@さとう');
  await expect(offered.getByRole('option').first()).toContainText('佐藤 美咲');
  await editor(page).press('Enter');
  await expect(editor(page)).toHaveValue('@佐藤 美咲 確認をお願いします');
  await editor(page).press('Enter');
  await expect(message(reader, '確認をお願いします')).toHaveAttribute('data-called', 'mention');
});

test('[R8.4] The editor of a message keeps its text and says why saving failed, and the next try saves it', async ({ page }) => {
  await write(page, '誤字があまり');
  await choose(page, message(page, '誤字があまり'), '編集');
  await page.route('**/api/v1/messages/*', (route) => route.abort());
  await editor(page).fill('誤字があります');
  await editor(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('つながりませんでした');
  await checkScreen(page, '49f edit, refused');
  await expect(editor(page)).toHaveValue('誤字があります');
  await expect(message(page, '誤字があまり')).toBeVisible();
  await page.unroute('**/api/v1/messages/*');
  await editor(page).press('Enter');
  await expect(message(page, '誤字があります')).toContainText('(編集済み)');

  const row = message(page, '誤字があります');
  await choose(page, row, 'スターを付ける');
  await row.hover();
  await bar(page).getByRole('button', { name: 'リアクション' }).click();
  await picker(page).getByRole('searchbox').fill('いいね');
  await picker(page).getByRole('searchbox').press('Enter');
  await expect(chips(row)).toHaveCount(1);
  await checkScreen(page, '49c message reacted to, starred, edited');
});

test('[R4.9] The editor of a message keeps text that is typed while an earlier text is being saved', async ({ page }) => {
  for (const text of ['一つめ', '二つめ']) await write(page, text);
  await arrived(message(page, '二つめ'));

  await choose(page, message(page, '一つめ'), '編集');
  await editor(page).fill('一つめです');
  const goOn = await hold(page, '**/api/v1/messages/*');
  const corrected = page.waitForResponse('**/api/v1/messages/*');
  await editor(page).press('Enter');
  await editor(page).pressSequentially('。続きます');
  goOn();
  await (await corrected).finished();
  await expect(message(page, '一つめです')).toContainText('(編集済み)');
  await expect(editor(page)).toHaveValue('一つめです。続きます');

  await page.unrouteAll();
  const goOnAgain = await hold(page, '**/api/v1/messages/*');
  await editor(page).press('Enter');
  await choose(page, message(page, '二つめ'), '編集');
  await editor(page).fill('二つめを書き直しています');
  goOnAgain();
  await expect(message(page, '一つめです。続きます')).toBeVisible();
  await expect(editor(page)).toHaveValue('二つめを書き直しています');
  await page.reload();
  await expect(editor(page)).toHaveValue('二つめを書き直しています');
});

test('[R4.9, R8.4] The undo button restores an unfinished edit, and the notice of a failed edit reopens it', async ({ page }) => {
  for (const text of ['一つめ', '二つめ']) await write(page, text);
  await arrived(message(page, '二つめ'));
  const undo = page.getByRole('button', { name: '元に戻す' });

  await choose(page, message(page, '一つめ'), '編集');
  await editor(page).fill('一つめの続き');
  await choose(page, message(page, '二つめ'), '編集');
  await editor(page).fill('二つめの続き');
  await undo.click();
  await expect(editor(page)).toHaveValue('一つめの続き');
  await undo.click();
  await expect(editor(page)).toHaveValue('二つめの続き');

  const answer = await hold(page, '**/api/v1/messages/*');
  await editor(page).press('Enter');
  await choose(page, message(page, '一つめ'), '編集');
  await expect(editor(page)).toHaveValue('一つめ');
  answer({ status: 500, json: { result: 'error', code: 'INTERNAL', msg: 'broken' } });
  await expect(page.getByRole('alert')).toContainText('サーバーで問題が起きました');
  await page.getByRole('alert').locator('..').getByRole('button', { name: '編集' }).click();
  await expect(editor(page)).toHaveValue('二つめの続き');
});

test('[R4.9] A member’s edit replaces an edit from another device only after the member chooses to go on', async ({
  page,
  stream,
  product,
}) => {
  const device = await authorOf(product, me);
  const id = await device.send(stream.name, '会議は三時です');
  await choose(page, message(page, '会議は三時です'), '編集');
  await editor(page).fill('会議は三時からです');
  await device.edit(id, '会議は四時です');
  await expect(page.getByRole('alert')).toContainText('ほかの端末で編集されました');
  await editor(page).press('Enter');
  await expect(page.getByRole('alert').last()).toContainText('選んでください');
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('ほかの端末で編集されました');
  await expect(editor(page)).toHaveValue('会議は三時からです');

  await page.getByRole('button', { name: '新しい内容にする' }).click();
  await expect(editor(page)).toHaveValue('会議は四時です');
  await expect(editor(page)).toBeFocused();
  await page.getByRole('button', { name: '元に戻す' }).click();
  await expect(editor(page)).toHaveValue('会議は三時からです');
  await device.edit(id, '会議は五時です');
  await page.getByRole('button', { name: 'このまま編集を続ける' }).click();
  await editor(page).press('Enter');
  await expect(message(page, '会議は三時からです')).toContainText('(編集済み)');
  await expect(editor(page)).toHaveCount(0);
});

test('[R4.9] An edit from another device is not overwritten, even if its event arrives after the member saved', async ({
  page,
  stream,
  product,
}) => {
  const device = await authorOf(product, me);
  const id = await device.send(stream.name, '会議は三時です');
  await choose(page, message(page, '会議は三時です'), '編集');
  await editor(page).fill('会議は三時からです');
  const answer = await hold(page, '**/api/v1/messages/*');
  await editor(page).press('Enter');
  await device.edit(id, '会議は四時です');
  answer();
  await expect(page.getByRole('alert')).toContainText('ほかの端末で編集されました');
  await expect(message(page, '会議は四時です')).toBeVisible();
  await expect(editor(page)).toHaveValue('会議は三時からです');
});

test('[R4.9, R4.7.2] The up arrow in an empty composer skips deleted messages and edits the last one that is left', async ({
  page,
  stream,
  product,
}) => {
  const device = await authorOf(product, me);
  await device.send(stream.name, '残る一言');
  const gone = await device.send(stream.name, '消す一言');
  await expect(message(page, '消す一言')).toBeVisible();
  await device.delete(gone);
  await expect(messages(page).last()).toContainText('削除した');
  await field(page).press('ArrowUp');
  await expect(editor(page)).toHaveValue('残る一言');
});

test('[R4.9, R8.4] The editor of a message says that the time limit for edits has passed, before and after the server refuses it', async ({
  page,
}) => {
  await page.clock.install();
  await write(page, '直せない一言');
  await choose(page, message(page, '直せない一言'), '編集');
  await editor(page).fill('直したい一言');
  const over = page.getByRole('alert').filter({ hasText: '編集できる時間を過ぎました' });
  await expect(over).toHaveCount(0);
  await page.clock.fastForward('11:00');
  await expect(over).toBeVisible();
  const json = { result: 'error', code: 'BAD_REQUEST', msg: 'The time limit for editing this message has passed' };
  await page.route('**/api/v1/messages/*', (route) => route.fulfill({ status: 400, json }));
  await editor(page).press('Enter');
  await expect(over).toBeVisible();
  await expect(page.getByText('The time limit')).toHaveCount(0);
  await expect(editor(page)).toHaveValue('直したい一言');
  await page.reload();
  await expect(over).toBeVisible();
  await expect(editor(page)).toHaveValue('直したい一言');
});

test('[R4.9] Escape while an edit is being saved closes the editor, and the edit is still saved', async ({ page }) => {
  await write(page, '一つめ');
  await choose(page, message(page, '一つめ'), '編集');
  await editor(page).fill('一つめです');
  const goOn = await hold(page, '**/api/v1/messages/*');
  await editor(page).press('Enter');
  await editor(page).press('Escape');
  await expect(field(page)).toBeFocused();
  await expect(page.getByText('編集をやめました')).toHaveCount(0);
  goOn();
  await expect(message(page, '一つめです')).toContainText('(編集済み)');
  // The event may arrive before the response, which removes the stored edit.
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.endsWith(':edit')))).toEqual([]);
  await page.reload();
  await expect(field(page)).toBeVisible();
});

test('[R2.15] Open menus and dialogs about a message close when the message is deleted', async ({ page, stream, product }) => {
  const device = await authorOf(product, me);
  const opened = {
    history: dialog(page, '編集履歴'),
    menu: menu(page),
    delete: dialog(page, 'メッセージを削除'),
    picker: picker(page),
  };
  for (const [kind, shown] of Object.entries(opened)) {
    const text = `消える ${kind}`;
    const id = await device.send(stream.name, '書き直す前');
    await device.edit(id, text);
    const row = message(page, text);
    if (kind === 'history') await row.getByRole('button', { name: '(編集済み)' }).click();
    else if (kind === 'delete') await choose(page, row, '削除');
    else {
      await row.hover();
      await bar(page)
        .getByRole('button', { name: kind === 'menu' ? 'その他' : 'リアクション' })
        .click();
    }
    await expect(shown).toBeVisible();
    await device.delete(id);
    await expect(messages(page).last()).toContainText('削除した');
    await expect(shown).toHaveCount(0);
    await expect(messages(page).last()).toBeFocused();
  }
});

test('[R2.15, R8.4] Deleting a message that is already deleted succeeds, and a refused deletion is reported', async ({
  page,
  stream,
  product,
}) => {
  const device = await authorOf(product, me);
  const id = await device.send(stream.name, '消す一言');
  const question = dialog(page, 'メッセージを削除');
  const press = () => question.getByRole('button', { name: '削除', exact: true }).click();
  const refuse = await hold(page, '**/api/v1/messages/*');
  await page.route('**/api/v1/messages/*', (route) => (route.request().method() === 'GET' ? route.continue() : route.fallback()));
  await choose(page, message(page, '消す一言'), '削除');
  await press();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  refuse({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now' } });
  await expect(page.getByRole('alert')).toContainText('Not now');
  await page.unrouteAll();

  await choose(page, message(page, '消す一言'), '削除');
  await page.route('**/api/v1/events*', (route) => route.abort());
  const goOn = await hold(page, `**/api/v1/messages/${id}*`);
  await press();
  await device.delete(id);
  goOn();
  await expect(question).toHaveCount(0);
  await expect(messages(page).last()).toContainText('削除した');
  await expect(page.getByText('Invalid message')).toHaveCount(0);
});

test('[R4.7.2] A notice with an undo button stays when another notice appears', async ({ browser, product }) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, 'はじめに');
  const page = await openStream(browser, product, me, stream, { permissions: ['clipboard-read', 'clipboard-write'] });
  await write(page, '私の一言');
  await choose(page, message(page, '私の一言'), '編集');
  await editor(page).fill('私の二言');
  await editor(page).press('Escape');
  await choose(page, message(page, '私の一言'), 'テキストをコピー');
  await expect(page.getByText('テキストをコピーしました。')).toBeVisible();
  await choose(page, message(page, '私の一言'), 'リンクをコピー');
  await expect(page.getByText('メッセージへのリンクをコピーしました。')).toBeVisible();
  await expect(page.getByText('テキストをコピーしました。')).toHaveCount(0);
  await page.getByRole('button', { name: '元に戻す' }).click();
  await expect(editor(page)).toHaveValue('私の二言');
});

test('[R4.7.2, R2.21] The chat shows at most three notices at once, and they never cover the newest message', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  for (let count = 0; count < 5; count += 1) await stream.author.send(stream.name, `前の話 ${count}`);
  const page = await openStream(browser, product, me, stream, { permissions: ['clipboard-read', 'clipboard-write'] });
  await write(page, '最後の一言');
  for (const text of ['一', '二', '三']) {
    await choose(page, message(page, '最後の一言'), '編集');
    await editor(page).fill(text);
    await editor(page).press('Escape');
  }
  await choose(page, message(page, '最後の一言'), 'テキストをコピー');
  const notices = page.getByRole('status').filter({ hasText: /ました/ });
  await expect(notices).toHaveCount(3);
  await page.setViewportSize({ width: 390, height: 600 });
  const low = await notices.last().evaluate((notice) => notice.parentElement?.getBoundingClientRect().bottom ?? 0);
  const top = await messages(page)
    .last()
    .evaluate((row) => row.getBoundingClientRect().top);
  expect(low).toBeLessThan(top);
});

test('[R4.7.2] The focus returns to its earlier element when a notice is closed by keyboard', async ({ page }) => {
  await field(page).fill('書きかけ');
  await field(page).press('Escape');
  const close = page.getByRole('button', { name: '閉じる' });
  await close.focus();
  await close.press('Enter');
  await expect(close).toHaveCount(0);
  await expect(field(page)).toBeFocused();
});

test('[R2.15, R4.9] After a confirmation, a message is deleted for all members, also after a reload', async ({
  page,
  stream,
  browser,
  product,
}) => {
  const theirs = await openStream(browser, product, other, stream);
  await write(page, '送るつもりのない一言');
  await expect(message(theirs, '送るつもりのない一言')).toBeVisible();

  await choose(page, message(page, '送るつもりのない一言'), '削除');
  await checkScreen(page, '49g delete');
  await dialog(page, 'メッセージを削除').getByRole('button', { name: 'やめる' }).click();
  await expect(message(page, '送るつもりのない一言')).toBeVisible();
  await choose(page, message(page, '送るつもりのない一言'), '削除');
  await dialog(page, 'メッセージを削除').getByRole('button', { name: '削除', exact: true }).click();
  for (const screen of [page, theirs]) {
    await expect(messages(screen).last()).toContainText('削除した');
    await expect(message(screen, '送るつもりのない一言')).toHaveCount(0);
  }
  await page.reload();
  await expect(messages(page).last()).toContainText('削除した');
  await messages(page).last().hover();
  await expect(bar(page)).toHaveCount(0);
});

test('[R3.2] The reaction button of a message opens and closes the emoji picker, and the focus returns to the message', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, 'どうでしょう');
  const page = await openStream(browser, product, me, stream);
  const row = message(page, 'どうでしょう');
  await row.hover();
  const react = bar(page).getByRole('button', { name: 'リアクション' });
  await react.click();
  await expect(picker(page).locator('fieldset button').first()).toBeVisible();
  await react.click();
  await expect(picker(page)).toHaveCount(0);
  await expect(react).toHaveAttribute('aria-expanded', 'false');

  await row.focus();
  await react.press('Enter');
  await picker(page).getByRole('searchbox').press('Escape');
  await expect(row).toBeFocused();
  await react.press('Enter');
  await picker(page).getByRole('searchbox').fill('いいね');
  await picker(page).getByRole('searchbox').press('Enter');
  await expect(row).toBeFocused();
  await expect(chips(row)).toHaveCount(1);
  await chips(row).press('Enter');
  await expect(chips(row)).toHaveCount(0);
  await expect(row).toBeFocused();
});

test('[R3.2] Members add and remove reactions, and each reaction shows its count and the names of the members', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '完成しました');
  const page = await openStream(browser, product, me, stream);
  const theirs = await openStream(browser, product, other, stream);
  const row = message(page, '完成しました');
  await row.hover();
  await bar(page).getByRole('button', { name: 'リアクション' }).click();
  await picker(page).getByRole('searchbox').fill('いいね');
  await picker(page)
    .getByRole('button', { name: /サムズアップ|いいね|親指/ })
    .first()
    .click();
  await expect(chips(row)).toHaveText(['👍1']);
  await expect(chips(row)).toHaveAttribute('aria-pressed', 'true');
  await expect(chips(message(theirs, '完成しました'))).toHaveAccessibleName('👍 1 人: 田中 翔');

  await chips(message(theirs, '完成しました')).focus();
  await theirs.keyboard.press('Enter');
  await expect(chips(row)).toHaveAccessibleName('👍 2 人: 田中 翔、佐藤 美咲');
  await page.reload();
  await expect(chips(row)).toHaveText(['👍2']);
  await chips(row).click();
  await expect(chips(message(theirs, '完成しました'))).toHaveText(['👍1']);
  await chips(message(theirs, '完成しました')).click();
  await expect(chips(row)).toHaveCount(0);

  await page.route('**/reactions', (route) => route.abort());
  await row.hover();
  await bar(page).getByRole('button', { name: 'リアクション' }).click();
  await picker(page).getByRole('searchbox').fill('いいね');
  await picker(page).getByRole('searchbox').press('Enter');
  await expect(page.getByRole('alert')).toContainText('つながりませんでした');
  await expect(chips(row)).toHaveCount(0);
});

test('[R2.14] The quote button shows the message as a card above the draft, and the sent message has a card that jumps to it', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  const id = await stream.author.send(stream.name, '一行め\n二行め');
  const streamId = await stream.author.streamId(stream.name);
  const page = await openStream(browser, product, me, stream);
  await field(page).fill('書きかけ');
  await message(page, '一行め').hover();
  await bar(page).getByRole('button', { name: '引用して返信' }).click();
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue('書きかけ');
  await expect(quoteCards(page)).toHaveText([/^佐藤 美咲 .*一行め 二行め$/]);
  await checkScreen(page, '57 composer, a quote');
  await page.reload();
  await expect(quoteCards(page)).toHaveText([/^佐藤 美咲 .*一行め 二行め$/]);
  await field(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.type('の続き');
  const link = `${product.url}/#/stream/${streamId}/message/${id}`;
  const content = await contentSentBy(page, () => page.keyboard.press('Enter'));
  expect(content).toMatch(new RegExp(`^> 佐藤 美咲（.*） ${link}\n> 一行め\n> 二行め\n\n書きかけの続き$`));
  await expect(quoteCards(page)).toHaveCount(0);

  const answer = message(page, '書きかけの続き');
  await expect(answer).not.toContainText('http');
  await expect(answer.locator('blockquote')).toHaveText(/^佐藤 美咲\d\d:\d\d一行め\n二行め$/);
  await checkScreen(page, '57b message, with a quote');
  await answer.locator('blockquote').click();
  await expect(page).toHaveURL(link);
});

test('[R2.14] A quote above the draft is removed by its button, and a quote added behind an answer is a line of the text', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  for (const text of ['一つめ', '二つめ', '三つめ']) await stream.author.send(stream.name, text);
  const page = await openStream(browser, product, me, stream);
  const quote = async (text: string) => {
    await message(page, text).hover();
    await bar(page).getByRole('button', { name: '引用して返信' }).click();
  };
  await quote('一つめ');
  await quote('二つめ');
  await expect(quoteCards(page)).toHaveText([/一つめ$/, /二つめ$/]);
  await page.getByRole('button', { name: '佐藤 美咲 の引用を外す' }).first().click();
  await expect(quoteCards(page)).toHaveText([/二つめ$/]);
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('二への答え');
  await quote('三つめ');
  await expect(field(page)).toHaveValue('二への答え\n\n引用: 佐藤 美咲「三つめ」\n');
  await page.keyboard.type('三への答え');
  await page.keyboard.press('Enter');
  const answer = message(page, '三への答え');
  await expect(answer.locator('blockquote')).toHaveText([/二つめ$/, /三つめ$/]);
  await expect(answer.locator('p', { hasText: 'への答え' })).toHaveText(['二への答え', '三への答え']);
});

test('[R2.14] If a part of a message is selected, the quote button and the menu quote only that part', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '前半は不要。\n後半が大事です。');
  const page = await openStream(browser, product, me, stream);
  const select = (start: number, end: number) =>
    message(page, '前半は不要')
      .locator('p', { hasText: '後半' })
      .evaluate(
        (paragraph, [from = 0, to = 0]) => {
          const [text] = paragraph.childNodes;
          if (text) getSelection()?.setBaseAndExtent(text, from, text, to);
        },
        [start, end],
      );
  await message(page, '前半は不要').hover();
  await select(7, 9);
  await bar(page).getByRole('button', { name: '引用して返信' }).click();
  await expect(quoteCards(page)).toHaveText([/\d\d:\d\d後半$/]);
  await select(0, 2);
  await choose(page, message(page, '前半は不要'), '引用して返信');
  await expect(quoteCards(page)).toHaveText([/\d\d:\d\d後半$/, /\d\d:\d\d前半$/]);
  await field(page).press('Escape');
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await message(page, '前半は不要').hover();
  await bar(page).getByRole('button', { name: '引用して返信' }).click();
  await expect(quoteCards(page)).toHaveText([/前半は不要。 後半が大事です。$/]);
});

test('[R2.2] A link to a message of the product opens in the same tab, and any other link in a new tab', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  const id = await stream.author.send(stream.name, 'ここへ');
  const streamId = await stream.author.streamId(stream.name);
  await stream.author.send(stream.name, `${product.url}/#/stream/${streamId}/message/${id} と https://example.com/`);
  const page = await openStream(browser, product, me, stream);
  await expect(message(page, 'と').getByRole('link', { name: 'example.com' })).toHaveAttribute('target', '_blank');
  await message(page, 'と').getByRole('link', { name: '/#/stream/' }).click();
  await expect(page).toHaveURL(new RegExp(`/message/${id}$`));
  expect(page.context().pages()).toHaveLength(1);
});

test('[R2.14, R5.3.1] Quotes of quotes keep their code blocks, and several quotes in a draft stay in order', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '一つめ @**田中 翔** さん\n```\nconst a = 1;\n```');
  await stream.author.send(stream.name, '二つめ');
  const page = await openStream(browser, product, me, stream);
  for (const text of ['一つめ', '二つめ']) {
    await message(page, text).hover();
    await bar(page).getByRole('button', { name: '引用して返信' }).click();
  }
  await expect(quoteCards(page)).toHaveText([/一つめ/, /二つめ/]);
  await page.keyboard.type('まとめて返事');
  await page.keyboard.press('Enter');
  const quotes = (text: string) => message(page, text).locator('blockquote');
  await expect(quotes('まとめて返事')).toHaveText([/一つめ/, /二つめ/]);
  await expect(quotes('まとめて返事').first().locator('pre')).toHaveText('const a = 1;');
  await expect(message(page, 'まとめて返事').locator('p').last()).toHaveText('まとめて返事');
  await expect(message(page, 'まとめて返事')).not.toContainText(/>|http/);
  await expect(quotes('まとめて返事').getByText('@田中 翔')).toBeVisible();
  await expect(message(page, 'まとめて返事').locator('[data-me]')).toHaveCount(0);

  const reader = await openStream(browser, product, other, stream);
  await message(reader, 'まとめて返事').hover();
  await bar(reader).getByRole('button', { name: '引用して返信' }).click();
  await reader.keyboard.type('引用の引用');
  await reader.keyboard.press('Enter');
  await expect(message(reader, '引用の引用').locator('blockquote blockquote')).toHaveText([/一つめ/, /二つめ/]);
});

test('[R2.14] The menu of a message covers neither an own message nor one of others', async ({ browser, product }) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, 'ほかの人の長めのメッセージ。'.repeat(12));
  const page = await openStream(browser, product, me, stream);
  await write(page, '自分の長めのメッセージ。'.repeat(12));
  await arrived(message(page, '自分の'));
  for (const text of ['ほかの人の', '自分の']) {
    await message(page, text).hover();
    await message(page, text).getByRole('button', { name: 'その他' }).click();
    const opened = await menu(page).boundingBox();
    const covered = await message(page, text).getByText(text).boundingBox();
    if (!opened || !covered) throw new Error('the menu or the message is not visible');
    const across = Math.min(opened.x + opened.width, covered.x + covered.width) - Math.max(opened.x, covered.x);
    const down = Math.min(opened.y + opened.height, covered.y + covered.height) - Math.max(opened.y, covered.y);
    expect(Math.min(across, down), text).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
  }
});

test('[R2.2] The menu of a message copies its link, or shows the link if the browser refuses to copy', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  const id = await stream.author.send(stream.name, 'ここです');
  const streamId = await stream.author.streamId(stream.name);
  const page = await openStream(browser, product, me, stream, { permissions: ['clipboard-read', 'clipboard-write'] });
  await choose(page, message(page, 'ここです'), 'リンクをコピー');
  await expect(page.getByText('メッセージへのリンクをコピーしました。')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${product.url}/#/stream/${streamId}/message/${id}`);
  await page.goto('/#/settings');
  await page.goto(link);
  await expect(page.locator('[data-marked]')).toContainText('ここです');

  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await choose(page, message(page, 'ここです'), 'リンクをコピー');
  await expect(page.getByRole('alert')).toContainText(`コピーできませんでした。次のとおりです: ${link}`);
});

test('[R3.2] A member’s star on a message appears, is listed and disappears on all their devices', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '大事な話');
  const page = await openStream(browser, product, me, stream);
  const device = await openStream(browser, product, me, stream);
  await choose(page, message(page, '大事な話'), 'スターを付ける');
  await expect(message(page, '大事な話').getByText('スター付き')).toBeAttached();
  await expect(message(device, '大事な話').getByText('スター付き')).toBeAttached();
  await device.reload();
  await expect(message(device, '大事な話').getByText('スター付き')).toBeAttached();

  const starred = page.getByRole('list', { name: 'スター' }).getByRole('link').filter({ hasText: stream.name });
  await page.getByRole('link', { name: /^メンションとスター/ }).click();
  await page.getByRole('radio', { name: 'スター' }).click();
  await expect(starred).toHaveCount(1);
  await write(device, '自分の覚え書き');
  await choose(device, message(device, '自分の覚え書き'), 'スターを付ける');
  await expect(starred).toHaveText([/自分の覚え書き/, /大事な話/]);
  await checkScreen(page, '25b mentions, starred');
  await page.getByRole('radio', { name: 'スター' }).check();
  await choose(device, message(device, '大事な話'), 'スターを外す');
  await expect(starred).toHaveText([/自分の覚え書き/]);
  await choose(device, message(device, '自分の覚え書き'), '削除');
  await dialog(device, 'メッセージを削除').getByRole('button', { name: '削除', exact: true }).click();
  await expect(starred).toHaveCount(0);
  await expect(message(page, '大事な話').getByText('スター付き')).toHaveCount(0);
});

test('[R4.6, R2.20.1] A member marks a message and all later ones as unread, and all devices of the member show the new unread count', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  for (const text of ['一', '二', '三']) await stream.author.send(stream.name, `${text}番め`);
  const page = await openStream(browser, product, me, stream);
  const device = await signIn(browser, product, me);
  await rail(device, 'ストリーム').click();
  await expect(streamRow(device, stream.name)).not.toContainText('[');
  await choose(page, message(page, '二番め'), 'ここから未読にする');
  await expect(streamRow(page, stream.name)).toContainText('[2]');
  await expect(streamRow(device, stream.name)).toContainText('[2]');
  const line = page.getByRole('separator', { name: '新着メッセージ' });
  await expect(line.locator('xpath=ancestor::*[.//article][1]').getByRole('article')).toContainText('二番め');

  await page.reload();
  await rail(page, 'ストリーム').click();
  await expect(header(page)).toHaveText(stream.name);
  await expect(streamRow(page, stream.name)).toContainText('[2]');
  await streamRow(page, 'プロダクト開発部').click();
  await expect(header(page)).toHaveText('プロダクト開発部');
  await expect(streamRow(page, stream.name)).toContainText('[2]');
  await streamRow(page, stream.name).click();
  await expect(streamRow(page, stream.name)).not.toContainText('[');
  await expect(streamRow(device, stream.name)).not.toContainText('[');
});

test('[R4.6] The menu of an own message offers to mark it as unread only if others have written after it', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '一番め');
  const page = await openStream(browser, product, me, stream);
  await write(page, '私の一言');
  const row = message(page, '私の一言');
  await row.hover();
  await bar(page).getByRole('button', { name: 'その他' }).click();
  await expect(menu(page).getByRole('menuitem', { name: '編集' })).toBeVisible();
  await expect(menu(page).getByRole('menuitem', { name: 'ここから未読にする' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await stream.author.send(stream.name, '二番め');
  await expect(message(page, '二番め')).toBeVisible();
  await choose(page, row, 'ここから未読にする');
  await rail(page, 'ストリーム').click();
  await expect(streamRow(page, stream.name)).toContainText('[1]');
});

test('[R2.14] Tab reaches one message and leaves the list, arrow keys move to the others and their controls, and Enter opens the menu of the focused message', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  await stream.author.send(stream.name, '一つめ');
  await stream.author.send(stream.name, '二つめ');
  const page = await openStream(browser, product, me, stream);
  // Waits for the code that handles arrow keys.
  await expect(message(page, '二つめ')).toHaveAttribute('tabindex', '0');
  await page.getByRole('button', { name: 'その他の操作' }).focus();
  await page.keyboard.press('Tab');
  await expect(message(page, '二つめ')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(message(page, '一つめ')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(bar(page).getByRole('button', { name: 'リアクション' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(message(page, '一つめ')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'ファイルを添付' })).toBeFocused();
  await message(page, '一つめ').focus();
  await page.keyboard.press('Enter');
  await expect(menu(page).getByRole('menuitem', { name: '引用して返信' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(message(page, '一つめ')).toBeFocused();
  await checkScreen(page, '49a message tools');
});

test('[R2.14, R2.21] On a phone, a long press on a message opens its tools, and a scroll that begins on it does not', async ({
  browser,
  product,
}) => {
  const stream = await newStream(product);
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  await stream.author.send(stream.name, '指で押す');
  const streamId = await stream.author.streamId(stream.name);
  const screen = await signedInPage(browser, product, me, phone);
  // The code of the tools is still loading while the finger is down.
  const release = await hold(screen, await scriptsOnDemand(screen));
  await screen.goto(`/#/stream/${streamId}`);
  const box = await message(screen, '指で押す').boundingBox();
  const touch = await screen.context().newCDPSession(screen);
  const at = { x: (box?.x ?? 0) + 120, y: (box?.y ?? 0) + (box?.height ?? 0) - 24 };
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y = at.y) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: at.x, y }] });

  await send('touchStart');
  for (const down of [20, 40, 60]) await send('touchMove', at.y + down);
  await send('touchEnd');
  await send('touchStart');
  release();
  const sheet = dialog(screen, 'メッセージの操作');
  await expect(sheet).toBeVisible();
  await send('touchEnd');
  await expect(sheet).toBeVisible();
  await sheet.getByRole('button', { name: '引用して返信' }).tap();
  await expect(sheet).toHaveCount(0);
  await expect(quoteCards(screen)).toHaveText([/指で押す/]);
});
