import type { Locator, Page } from '@playwright/test';
import { authorOf } from './author.ts';
import { checkScreen } from './checkScreen.ts';
import { confirm, inputMethod, takeBack, withEachBrowser } from './inputMethod.ts';
import { open } from './messageList.ts';
import { expect, signIn, test as base } from './product.ts';
import { arrived, contentSentBy, field, mentionCandidates, mentionChips, message, sendButton } from './screen.ts';

const me = 'tanaka@engawa.example';
const other = 'sato@engawa.example';
let streams = 0;

/** The focus is in the composer of a new stream. */
const test = base.extend({
  page: async ({ browser, product }, provide) => {
    streams += 1;
    const name = `チップの部屋 ${streams}`;
    const author = await authorOf(product, other);
    await author.createStream(name, [me, other]);
    await author.send(name, 'はじめに');
    const page = await signIn(browser, product, me, { permissions: ['clipboard-read', 'clipboard-write'] });
    await open(page, name);
    await field(page).focus();
    await provide(page);
  },
});

/** Chooses 佐藤 美咲 among the candidates. */
async function mention(page: Page): Promise<void> {
  await page.keyboard.type('@sato');
  await expect(mentionCandidates(page).getByRole('option', { selected: true })).toContainText('佐藤');
  await page.keyboard.press('Enter');
}

/** Sends the text of the field and returns the content that the server received. */
const sent = (page: Page): Promise<string | null> => contentSentBy(page, () => sendButton(page).click());

test('[I5.5, R4.8.1] With the key events of each browser, kana conversions before and behind a mention keep it, and it is sent as its syntax', async ({
  page,
}) => {
  const ime = await inputMethod(page);
  let written = 0;
  await withEachBrowser(async (name) => {
    await mention(page);
    await confirm(ime, name, 'かくにん', '確認');
    await expect(field(page)).toHaveValue('@佐藤 美咲 確認');
    await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
    await page.keyboard.press('Home');
    await confirm(ime, name, 'あの', 'あの、');
    await takeBack(ime, name, 'まちがい');
    await expect(field(page)).toHaveValue('あの、@佐藤 美咲 確認');
    await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
    // Right behind the mention, without a space.
    for (let step = 0; step < 'あの、@佐藤 美咲'.length - 'あの、'.length; step += 1) await page.keyboard.press('ArrowRight');
    await confirm(ime, name, 'さん', 'さん、');
    await expect(field(page)).toHaveValue('あの、@佐藤 美咲さん、 確認');
    await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
    expect(await sent(page)).toBe('あの、@**佐藤 美咲**さん、 確認');
    await expect(message(page, 'さん、').getByText('@佐藤 美咲', { exact: true })).toHaveCount((written += 1));
  });
});

test('[I5.5] An edit inside a mention makes it text, and a kana conversion there is not disturbed', async ({ page }) => {
  const ime = await inputMethod(page);
  await mention(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await confirm(ime, 'Chrome and Edge', 'あ', '亜');
  await expect(field(page)).toHaveValue('@佐亜藤 美咲 ');
  await expect(mentionChips(page)).toHaveCount(0);
  expect(await sent(page)).toBe('@佐亜藤 美咲 ');
});

test('[I5.5] Backspace behind a mention and Delete before it delete all of it, and undo and redo restore the mention', async ({
  page,
}) => {
  await page.keyboard.type('見て ');
  await mention(page);
  await page.keyboard.press('Backspace');
  await expect(field(page)).toHaveValue('見て @佐藤 美咲');
  await page.keyboard.press('Backspace');
  await expect(field(page)).toHaveValue('見て ');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field(page)).toHaveValue('見て @佐藤 美咲');
  await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(field(page)).toHaveValue('見て ');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
  await page.keyboard.press('Home');
  for (const _ of '見て ') await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Delete');
  await expect(field(page)).toHaveValue('見て ');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
  expect(await sent(page)).toBe('見て @**佐藤 美咲**');
});

test('[I5.5] A mention is cut and pasted as a mention in the composer, and copied to other programs as the text that is shown', async ({
  page,
}) => {
  await mention(page);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await expect(field(page)).toHaveValue('');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('@佐藤 美咲 ');
  await page.keyboard.type('二回: ');
  await page.keyboard.press('ControlOrMeta+v');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(field(page)).toHaveValue('二回: @佐藤 美咲 @佐藤 美咲 ');
  await expect(mentionChips(page)).toHaveCount(2);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(mentionChips(page)).toHaveCount(1);
  // Text with the syntax, as other clients and older drafts have it.
  await page.evaluate(() => navigator.clipboard.writeText('#**全社アナウンス** と @**all** と @**知らない人**'));
  await page.keyboard.press('ControlOrMeta+v');
  await expect(field(page)).toHaveValue('二回: @佐藤 美咲 #全社アナウンス と @全員 と @**知らない人**');
  await checkScreen(page, '56 composer, mentions');
  expect(await sent(page)).toBe('二回: @**佐藤 美咲** #**全社アナウンス** と @**all** と @**知らない人**');
});

test('[I5.5, R8.4] A draft with a mention survives a reload, and Escape and its undo keep the mention', async ({ page }) => {
  await mention(page);
  await page.keyboard.type('確認を');
  await page.reload();
  await expect(field(page)).toHaveValue('@佐藤 美咲 確認を');
  await expect(mentionChips(page)).toHaveText('@佐藤 美咲');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  await page.getByRole('button', { name: '元に戻す' }).click();
  await expect(field(page)).toHaveValue('@佐藤 美咲 確認を');
  expect(await sent(page)).toBe('@**佐藤 美咲** 確認を');
  await arrived(message(page, '確認を'));
  await field(page).press('ArrowUp');
  const editor = page.getByRole('textbox', { name: 'メッセージを編集' });
  await expect(editor).toHaveValue('@佐藤 美咲 確認を');
  await editor.press('End');
  await editor.pressSequentially('お願いします');
  await editor.press('Enter');
  await expect(message(page, 'お願いします').getByText('@佐藤 美咲', { exact: true })).toBeVisible();
});

const size = (target: Locator) =>
  target.evaluate(({ scrollHeight, clientWidth, clientHeight, scrollTop }) => ({
    scrollHeight,
    clientWidth,
    clientHeight,
    scrollTop,
  }));

test('[R2.12] The chips are painted where the field shows their text, also in a long text that scrolls', async ({ page }) => {
  const layer = page.locator('footer [aria-hidden]', { has: page.locator('mark') });
  await mention(page);
  for (const more of ['長い文 '.repeat(60), '\n', 'a'.repeat(200), '\n\n', '　全角の空白　'.repeat(40), '\n行'.repeat(20)]) {
    await page.keyboard.insertText(more);
    await expect.poll(async () => await size(layer)).toEqual(await size(field(page)));
  }
  expect((await size(field(page))).scrollTop).toBeGreaterThan(0);
  await field(page).evaluate((element) => element.scrollTo({ top: 40 }));
  await expect.poll(async () => (await size(layer)).scrollTop).toBe(40);
});
