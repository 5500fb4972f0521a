import type { Page } from '@playwright/test';
import { type BrowserName, browsers, confirm, inputMethod, orders, takeBack, withEachBrowser } from './inputMethod.ts';
import { expect, signIn, test } from './product.ts';
import { department, emojiButton, field, header, message, picker, rail, sendButton, streamRow, tree } from './screen.ts';

/** Three common handlers, which print their names when they handle a key. */
const naivePage = `<!doctype html><textarea></textarea><output></output><script>
  const naive = {
    key: (event, code) => event.key === code,
    code: (event, code) => event.code === code,
    isComposing: (event, code) => event.key === code && !event.isComposing,
  };
  document.querySelector('textarea').addEventListener('keydown', (event) => {
    for (const code of ['Enter', 'Escape'])
      for (const [name, takes] of Object.entries(naive))
        if (takes(event, code)) document.querySelector('output').append(code + ' by ' + name + '. ');
  });
</script>`;

/** The keys that naive handlers would handle, which proves that the tests notice the mistake. */
async function naively(page: Page, act: (control: Page) => Promise<void>): Promise<string> {
  const control = await page.context().newPage();
  await control.setContent(naivePage);
  await control.getByRole('textbox').focus();
  await act(control);
  const taken = await control.getByRole('status').textContent();
  await control.close();
  return taken ?? '';
}

/** Firefox hides the mistake from handlers that check `key`. */
const takenNaively = {
  'Chrome and Edge': (code: string) => `${code} by key. ${code} by code. `,
  Firefox: (code: string) => `${code} by code. `,
  Safari: (code: string) => `${code} by key. ${code} by code. ${code} by isComposing. `,
} as const satisfies Record<BrowserName, unknown>;

/** Paths of later requests that are not GET. */
function changesIn(page: Page): readonly string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

test('[R4.8.1] With the key events of each browser, the Enter that confirms a kana conversion sends nothing, and the next Enter sends once', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await withEachBrowser(async (browser) => {
    const text = `日本語で書く ${browser}`;
    const write = async (on: Page) => confirm(await inputMethod(on), browser, 'にほんごでかく', text);
    expect(await naively(page, write)).toBe(takenNaively[browser]('Enter'));

    await field(page).focus();
    await write(page);
    await expect(field(page)).toHaveValue(text);
    await confirm(await inputMethod(page), browser, 'つづき', '続き');
    await expect(field(page)).toHaveValue(`${text}続き`);
    await field(page).press('Enter');
    await expect(field(page)).toHaveValue('');
    await expect(message(page, text).locator('time')).toBeVisible();
    await expect(message(page, browser)).toHaveCount(1);
    await expect(message(page, browser)).toContainText(`${text}続き`);
  });
});

test('[R4.8.1] With the key events of each browser, the Escape that cancels a kana conversion does not clear the draft', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await withEachBrowser(async (browser) => {
    const takeItBack = async (on: Page) => takeBack(await inputMethod(on), browser, 'まちがい');
    expect(await naively(page, takeItBack)).toBe(takenNaively[browser]('Escape'));

    await field(page).fill('長い下書き');
    await takeItBack(page);
    await expect(field(page)).toHaveValue('長い下書き');
    await expect(page.getByRole('button', { name: '元に戻す' })).toHaveCount(0);
    await field(page).press('Escape');
    await expect(field(page)).toHaveValue('');
    await page.getByRole('button', { name: '元に戻す' }).click();
    await expect(field(page)).toHaveValue('長い下書き');
  });
});

test('[R4.8.1] The send button sends text whose kana conversion is not confirmed, and Enter sends the next message', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await field(page).focus();
  await (await inputMethod(page)).compose('へんかんちゅう');
  await sendButton(page).click();
  await expect(message(page, 'へんかんちゅう').locator('time')).toBeVisible();
  await expect(field(page)).toHaveValue('');
  await page.keyboard.type('then without a conversion');
  await page.keyboard.press('Enter');
  await expect(message(page, 'then without a conversion').locator('time')).toBeVisible();
});

test('[R4.8.1] The emoji search ignores keys of the input method and searches only for confirmed text', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await emojiButton(page).click();
  const search = picker(page).getByRole('searchbox');
  await expect(search).toBeFocused();
  const ime = await inputMethod(page);
  for (const browser of browsers) {
    await search.fill('笑');
    await takeBack(ime, browser, 'まちがい');
    await expect(search).toHaveValue('笑');
    await search.fill('');
    await ime.compose('わらい');
    // Unconfirmed kana do not filter the emoji.
    await expect(picker(page).getByRole('button', { name: '記号', exact: true })).toBeVisible();
    await orders[browser](ime, 'Enter', () => ime.commit('笑い'));
    await expect(search).toHaveValue('笑い');
    await expect(picker(page)).toBeVisible();
    await expect(picker(page).getByRole('button', { name: '記号', exact: true })).toBeHidden();
  }
  await expect(field(page)).toHaveValue('');
  await search.press('Enter');
  await expect(picker(page)).toBeHidden();
  await expect(field(page)).not.toHaveValue('');
});

test('[R4.8.1] In the searches of departments and streams, confirming a kana conversion starts the search and opens no result', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  const opened = (await header(page).textContent()) ?? '';
  const ime = await inputMethod(page);
  for (const [tab, found, other] of [
    ['組織', department(page, 'デザイン室'), department(page, 'プロダクト開発部')],
    ['ストリーム', streamRow(page, '雑談・縁側'), streamRow(page, 'プロダクト開発部')],
  ] as const) {
    await rail(page, tab).click();
    const search = page.getByRole('tabpanel').getByRole('searchbox');
    for (const browser of browsers) {
      await search.fill('');
      await expect(other).toBeVisible();
      await ime.compose(tab === '組織' ? 'でざいん' : 'ざつだん');
      await expect(other).toBeVisible();
      await orders[browser](ime, 'Enter', () => ime.commit(tab === '組織' ? 'デザイン' : '雑談'));
      await expect(other).toBeHidden();
      await expect(found).toBeVisible();
    }
  }
  await expect(header(page)).toHaveText(opened);
});

test('[R4.8.1] The tree of departments ignores keys of the input method', async ({ page, product }) => {
  await page.goto(product.url);
  const opened = (await header(page).textContent()) ?? '';
  const item = tree(page).getByRole('treeitem').first();
  await item.focus();
  const ime = await inputMethod(page);
  for (const browser of browsers) await orders[browser](ime, 'Enter', async () => {});
  await expect(item).toBeFocused();
  await expect(header(page)).toHaveText(opened);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[R4.8.1] At the sign-in, the Enter that confirms a kana conversion signs nobody in', async ({ page, product }) => {
  await page.goto(`${product.url}/logout`);
  const search = page.getByRole('searchbox');
  const ime = await inputMethod(page);
  const signIns = changesIn(page);
  for (const browser of browsers) {
    await search.fill('');
    await search.focus();
    await confirm(ime, browser, 'さとう', '佐藤');
    await expect(search).toHaveValue('佐藤');
  }
  expect(signIns).toEqual([]);
  await search.press('Enter');
  await expect(page.getByRole('log')).toBeVisible();
});

test('[R4.8.1] In a dialog, keys that confirm or cancel a kana conversion neither submit nor close it', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'mori@engawa.example');
  await rail(page, '設定').click();
  await page.getByRole('tabpanel').getByRole('button', { name: 'プロフィールを編集' }).click();
  const dialog = page.getByRole('dialog', { name: 'プロフィールを編集' });
  const name = dialog.getByRole('textbox', { name: '名前' });
  const ime = await inputMethod(page);
  const changes = changesIn(page);
  for (const each of browsers) {
    await name.fill('');
    await takeBack(ime, each, 'まちがい');
    await confirm(ime, each, 'もりゆい', '森 結衣');
    await expect(name).toHaveValue('森 結衣');
    await expect(dialog).toBeVisible();
  }
  expect(changes.filter((path) => path === '/api/profile')).toEqual([]);
});
