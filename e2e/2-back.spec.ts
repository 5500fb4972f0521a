import type { Browser, Locator, Page } from '@playwright/test';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { expect, type Product, signedInPage, signIn, test } from './product.ts';
import { department, emojiButton, field, fileInput, picker, rail, sendButton, streamRow, tree, withoutLayers } from './screen.ts';

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const menu = (page: Page): Locator => page.getByRole('menu');
const searchPanel = (page: Page): Locator => dialog(page, 'メッセージを検索');
const tool = (page: Page, name: string): Locator => page.getByRole('button', { name });

async function openProfile(page: Page): Promise<void> {
  await tool(page, 'その他の操作').click();
  await page.getByRole('menuitem', { name: 'プロフィールを表示' }).first().click();
}

async function openPicture(page: Page): Promise<void> {
  const buffer = png(64, 48, () => [44, 106, 84]);
  await fileInput(page).setInputFiles({ name: '図.png', mimeType: 'image/png', buffer });
  await sendButton(page).click();
  // The tests of this file share a conversation, so an earlier one may have sent this picture too.
  await tool(page, '図.png を大きく表示').last().click();
}

/** Everything that opens over the chat. */
const layers: readonly (readonly [name: string, open: (page: Page) => Promise<void>, opened: (page: Page) => Locator])[] = [
  ['the search', (page) => tool(page, 'メッセージを検索').click(), searchPanel],
  ['a menu', (page) => tool(page, 'その他の操作').click(), menu],
  ['a profile', openProfile, (page) => dialog(page, 'プロフィール')],
  ['a large picture', openPicture, (page) => dialog(page, '図.png')],
  ['the emoji picker', (page) => emojiButton(page).click(), picker],
];

const email = 'suzuki@engawa.example';

/** A phone with the conversation of a department, above the tree of departments. */
async function phone(browser: Browser, product: Product): Promise<Page> {
  const page = await signedInPage(browser, product, email, {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  await page.goto('/#/organisation');
  await openChat(page);
  return page;
}

/** Opens the conversation of a department from the tree. */
async function openChat(page: Page): Promise<void> {
  await department(page, 'プロダクト開発部').tap();
  await expect(field(page)).toBeVisible();
}

test('[R2.21] On a phone, Back closes the search, a menu, a profile, a large picture and the emoji picker, and the next Back leaves the chat', async ({
  browser,
  product,
}) => {
  const page = await phone(browser, product);
  const address = page.url();
  for (const [name, open, opened] of layers) {
    await test.step(name, async () => {
      await open(page);
      await expect(opened(page)).toBeVisible();
      await page.goBack();
      await expect(opened(page)).toBeHidden();
      await expect(field(page)).toBeVisible();
      expect(page.url()).toBe(address);
      await page.goBack();
      await expect(tree(page)).toBeVisible();
      await openChat(page);
    });
  }
});

test('On a phone, Back leaves the chat at once after Escape has closed the search, a menu, a profile, a large picture or the emoji picker', async ({
  browser,
  product,
}) => {
  const page = await phone(browser, product);
  for (const [name, open, opened] of layers) {
    await test.step(name, async () => {
      await open(page);
      await expect(opened(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(opened(page)).toBeHidden();
      await withoutLayers(page);
      await page.goBack();
      await expect(tree(page)).toBeVisible();
      await openChat(page);
    });
  }
});

test('On a desktop, Back closes the open dialog, and Forward opens nothing and leaves nothing', async ({ browser, product }) => {
  const page = await signIn(browser, product, email);
  await rail(page, 'ストリーム').click();
  await streamRow(page, '雑談・縁側').click();
  await streamRow(page, 'プロダクト開発部').click();
  const address = page.url();
  await openProfile(page);
  await expect(dialog(page, 'プロフィール')).toBeVisible();
  await page.goBack();
  await expect(dialog(page, 'プロフィール')).toBeHidden();
  expect(page.url()).toBe(address);
  await page.goForward();
  await expect(field(page)).toHaveAccessibleName(/プロダクト開発部/);
  await expect(dialog(page, 'プロフィール')).toBeHidden();
  await withoutLayers(page);
  await page.goBack();
  await expect(field(page)).toHaveAccessibleName(/雑談・縁側/);
});

test('Back closes nested dialogs from the top, one at a time', async ({ browser, product }) => {
  const page = await phone(browser, product);
  await openProfile(page);
  const profile = dialog(page, 'プロフィール').first();
  await profile
    .getByRole('button', { name: /田中 翔|佐藤 美咲/ })
    .first()
    .click();
  await expect(dialog(page, 'プロフィール')).toHaveCount(2);
  await page.goBack();
  await expect(dialog(page, 'プロフィール')).toHaveCount(1);
  await page.goBack();
  await expect(dialog(page, 'プロフィール')).toHaveCount(0);
  await expect(field(page)).toBeVisible();
  await page.goBack();
  await expect(tree(page)).toBeVisible();
});

test('A hit of the search takes the place of the search, so Back returns to the conversation before', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, email);
  await rail(page, 'ストリーム').click();
  await streamRow(page, 'プロダクト開発部').click();
  const before = page.url();
  await tool(page, 'メッセージを検索').click();
  await searchPanel(page).getByRole('combobox').fill('雑談・縁側');
  await searchPanel(page).getByRole('option', { name: '雑談・縁側' }).first().click();
  await expect(searchPanel(page)).toBeHidden();
  await expect(field(page)).toHaveAccessibleName(/雑談・縁側/);
  const after = page.url();
  await page.goBack();
  await expect(field(page)).toHaveAccessibleName(/プロダクト開発部/);
  expect(page.url()).toBe(before);
  await page.goForward();
  await expect(field(page)).toHaveAccessibleName(/雑談・縁側/);
  expect(page.url()).toBe(after);
});

test('A link that is followed while a menu closes leads to a new place, and Back returns to the conversation before', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, email);
  await rail(page, 'ストリーム').click();
  await streamRow(page, 'プロダクト開発部').click();
  await expect(page).toHaveURL(/#\/stream\/\d+$/);
  const before = page.url();
  await tool(page, 'その他の操作').click();
  await expect(menu(page)).toBeVisible();
  // Follows the link as soon as the page has begun to leave the history entry of the menu.
  await streamRow(page, '雑談・縁側').evaluate((link: HTMLElement) => {
    const go = history.go.bind(history);
    history.go = (steps) => {
      history.go = go;
      go(steps);
      link.click();
    };
  });
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveAccessibleName(/雑談・縁側/);
  await page.goBack();
  await expect(page).toHaveURL(before);
});

test('A link to a conversation makes one history entry, and with Ctrl it opens another tab', async ({ browser, product }) => {
  const page = await signIn(browser, product, email);
  await rail(page, 'ストリーム').click();
  const entries = () => page.evaluate(() => history.length);
  const before = await entries();
  await streamRow(page, 'プロダクト開発部').click();
  await expect(field(page)).toHaveAccessibleName(/プロダクト開発部/);
  await streamRow(page, 'プロダクト開発部').click();
  expect(await entries()).toBe(before + 1);

  const opened = page.context().waitForEvent('page');
  await streamRow(page, '雑談・縁側').click({ modifiers: ['Control'] });
  await expect(field(await opened)).toHaveAccessibleName(/雑談・縁側/);
  await expect(field(page)).toHaveAccessibleName(/プロダクト開発部/);
  expect(await entries()).toBe(before + 1);
});

test('After a reload with an open dialog, Back leaves the chat at once', async ({ browser, product }) => {
  const page = await phone(browser, product);
  await openProfile(page);
  await expect(dialog(page, 'プロフィール')).toBeVisible();
  await page.reload();
  await expect(field(page)).toBeVisible();
  await expect(dialog(page, 'プロフィール')).toBeHidden();
  await expect.poll(() => page.evaluate(() => Object(history.state).layer)).toBeUndefined();
  await page.goBack();
  await expect(tree(page)).toBeVisible();
});

test('Closing a help page by its button leads back to the settings, and Back does not open it again', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, email);
  await rail(page, '設定').click();
  await page.getByRole('button', { name: 'ヘルプ' }).click();
  await page.getByRole('link', { name: 'よくある質問' }).click();
  const help = dialog(page, 'よくある質問');
  await expect(help).toBeVisible();
  await help.getByRole('button', { name: '閉じる' }).click();
  await expect(help).toBeHidden();
  await expect(page).toHaveURL(/#\/settings$/);
  await page.goForward();
  await expect(help).toBeVisible();
  await page.goBack();
  await expect(help).toBeHidden();
});
