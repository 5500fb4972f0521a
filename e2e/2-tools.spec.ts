import type { Locator, Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { authorOf } from './author.ts';
import { expect, signedInPage, signIn, test } from './product.ts';
import { department, field, header, hold, message, scriptsOnDemand, streamRow } from './screen.ts';

const tool = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const more = (page: Page): Locator => tool(page, 'その他の操作');
const menu = (page: Page): Locator => page.getByRole('menu', { name: 'その他の操作' });
const item = (page: Page, name: string): Locator => menu(page).getByRole('menuitem', { name });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

async function openDesign(page: Page): Promise<void> {
  await department(page, 'デザイン室').click();
  await expect(header(page)).toContainText('デザイン室');
}

/** Opens a stream while the code of its message field does not arrive. @returns how to let it arrive. */
async function openBeforeField(page: Page): Promise<() => void> {
  const release = await hold(page, await scriptsOnDemand(page));
  await page.goto('/#/organisation');
  await page.reload();
  await openDesign(page);
  return release;
}

test.describe('The buttons of a stream', () => {
  test('[R2.8] The buttons for search, audio call and video call each open a dialog that names the stream', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    for (const [button, heading] of [
      ['メッセージを検索', 'メッセージを検索'],
      ['音声通話', '音声通話'],
      ['ビデオ通話', 'ビデオ通話'],
    ] as const) {
      await tool(page, button).click();
      await expect(dialog(page, heading)).toContainText('デザイン室');
      if (heading !== 'メッセージを検索') await expect(dialog(page, heading)).toContainText('8 人まで参加できます。');
      await page.keyboard.press('Escape');
      await expect(dialog(page, heading)).toBeHidden();
      await expect(tool(page, button)).toBeFocused();
    }
    await tool(page, '音声通話').click();
    await expect(dialog(page, '音声通話')).toBeVisible();
    await checkScreen(page, '74 audio call');
  });

  test('[R2.8] The profile dialog of a stream shows the stream’s name, description and members', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    await more(page).click();
    await item(page, 'プロフィールを表示').click();
    const profile = dialog(page, 'プロフィール');
    await expect(profile).toContainText('デザイン室のストリームです。');
    const count = await page
      .locator('header')
      .getByText(/^\(\d+\)$/)
      .textContent();
    await expect(profile.getByText(`メンバー ${count}`, { exact: true })).toBeVisible();
    await expect(profile.getByRole('listitem').filter({ hasText: '伊藤 さくら' })).toBeVisible();
    await checkScreen(page, '71 stream profile');
    await profile.getByRole('button', { name: '閉じる' }).click();
    await expect(more(page)).toBeFocused();
  });
});

test('[R2.8] The menu of a stream opens once its code is loaded if the member pressed its button earlier', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  const onDemand = await scriptsOnDemand(page);
  const ways = [
    { press: () => more(page).click(), first: 'プロフィールを表示' },
    { press: () => more(page).press('Space'), first: 'プロフィールを表示' },
    { press: () => more(page).press('ArrowDown'), first: 'プロフィールを表示' },
    { press: () => more(page).press('ArrowUp'), first: '削除' },
  ];
  for (const { press, first } of ways) {
    const release = await hold(page, onDemand);
    const requested = page.waitForRequest((request) => onDemand(new URL(request.url())));
    await page.reload();
    await requested;
    await press();
    await expect(more(page)).toHaveAttribute('aria-expanded', 'true');
    release();
    await expect(item(page, first)).toBeFocused();
    await page.unroute(onDemand);
  }
});

test('[R2.8] An open menu of a stream keeps the focus when the message field appears after it', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  const release = await openBeforeField(page);
  await more(page).click();
  release();
  await expect(field(page)).toBeVisible();
  await expect(item(page, 'プロフィールを表示')).toBeFocused();
});

test('[R2.8] The message field takes the focus from a message when it appears', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  const release = await openBeforeField(page);
  const newest = page.getByRole('log').getByRole('article').last();
  await newest.focus();
  await expect(newest).toBeFocused();
  release();
  await expect(field(page)).toBeFocused();
});

for (const [what, find] of [
  ['A focused button of a stream', (page: Page) => tool(page, 'メッセージを検索')],
  ['The focused list of messages', (page: Page) => page.getByRole('log')],
] as const) {
  test(`[R2.8] ${what} keeps the focus when the message field appears after it`, async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    const release = await openBeforeField(page);
    await find(page).focus();
    release();
    await expect(field(page)).toBeVisible();
    await expect(find(page)).toBeFocused();
  });
}

test('[R2.8] The unmute button works after a press on the menu button began while its code was loading and ended elsewhere', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  await openDesign(page);
  await more(page).click();
  await item(page, 'ミュート').click();
  await expect(tool(page, 'ミュート中（押すと解除）')).toBeVisible();
  const onDemand = await scriptsOnDemand(page);
  const release = await hold(page, onDemand);
  const requested = page.waitForRequest((request) => onDemand(new URL(request.url())));
  await page.reload();
  await requested;
  await more(page).hover();
  await page.mouse.down();
  await page.mouse.move(0, 0);
  await page.mouse.up();
  release();
  await tool(page, 'ミュート中（押すと解除）').click();
  await expect(tool(page, 'ミュート中（押すと解除）')).toHaveCount(0);
});

test.describe('The menu by keyboard', () => {
  test('[R2.8] In the menu of a stream, arrows, Home, End and letters move the focus, and Enter chooses an item', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    await more(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'プロフィールを表示')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'アーカイブ')).toBeFocused();
    await page.keyboard.press('End');
    await expect(item(page, '削除')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'プロフィールを表示')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(item(page, '削除')).toBeFocused();
    await page.keyboard.press('Home');
    await menu(page).dispatchEvent('keydown', { key: 'み', bubbles: true });
    await expect(item(page, 'ミュート')).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(dialog(page, 'プロフィール')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(more(page)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(item(page, '削除')).toBeFocused();
    await checkScreen(page, '70 stream menu');
  });

  test('[R2.8, R4.7.2] Escape, Tab and a click outside close the menu of a stream, and the draft stays', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await openDesign(page);
    await field(page).fill('書きかけ');
    await more(page).press('Enter');
    await expect(item(page, 'プロフィールを表示')).toBeFocused();
    await expect(more(page)).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
    await expect(more(page)).toBeFocused();
    await expect(more(page)).toHaveAttribute('aria-expanded', 'false');
    await expect(field(page)).toHaveValue('書きかけ');

    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(menu(page)).toBeHidden();
    await more(page).click();
    await expect(menu(page)).toBeVisible();
    await page.getByRole('log').click({ position: { x: 5, y: 5 } });
    await expect(menu(page)).toBeHidden();
    await more(page).click();
    await more(page).click();
    await expect(menu(page)).toBeHidden();
    await field(page).fill('');
  });
});

const longName = '次世代プラットフォーム検討ワーキンググループ（2027年度中期経営計画・全社横断・第二期）定例と議事録の共有用';

async function openLongName(page: Page): Promise<void> {
  await page.goto('/#/streams');
  await streamRow(page, longName).click();
  await expect(header(page)).toContainText(longName);
}

test.describe('A stream with a long name', () => {
  test.beforeAll(async ({ products }, { file }) => {
    const author = await authorOf(await products.demo.startFor(file), 'sato@engawa.example');
    await author.createStream(longName, ['tanaka@engawa.example', 'sato@engawa.example']);
    const wide = ['https://wiki.engawa.example/platform/2027/minutes/第十二回/議事録?page=1#section-4', 'あ'.repeat(180)];
    for (const text of [...wide, 'Loremipsumdolorsitametconsectetur'.repeat(5)]) await author.send(longName, text);
  });

  test('[R2.8] The video call dialog shows the whole name of a stream with a long name', async ({ browser, product }) => {
    const page = await signedInPage(browser, product, 'tanaka@engawa.example');
    await openLongName(page);
    await expect(message(page, 'Loremipsum')).toBeVisible();
    await checkScreen(page, '43 chat, long names');
    await tool(page, 'ビデオ通話').click();
    await expect(dialog(page, 'ビデオ通話')).toContainText(longName);
    await checkScreen(page, '75 video call, long name');
  });

  for (const width of [390, 320]) {
    test(`[R2.8] In a window ${width} px wide, the long name of a stream leaves room for the buttons of the header`, async ({
      browser,
      product,
    }) => {
      const page = await signedInPage(browser, product, 'tanaka@engawa.example', { viewport: { width, height: 700 } });
      await openLongName(page);
      for (const name of ['一覧に戻る', 'メッセージを検索', '音声通話', 'ビデオ通話', 'その他の操作']) {
        const box = await tool(page, name).boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
      }
      const name = await header(page).boundingBox();
      expect(name?.width).toBeGreaterThan(40);
      await more(page).click();
      for (const each of await menu(page).getByRole('menuitem').all()) await expect(each).toBeInViewport({ ratio: 1 });
    });
  }
});
