import type { Locator, Page } from '@playwright/test';
import { authorOf, open } from './history.ts';
import { type BrowserName, confirm, inputMethod, takeBack } from './inputMethod.ts';
import { expect, type Product, signedInPage, signIn, test } from './product.ts';
import { department, field, header, message, messages, rail, streamRow } from './screen.ts';

const me = 'tanaka@engawa.example';
const stream = 'プロダクト開発部';
const browsers: readonly BrowserName[] = ['Chrome and Edge', 'Firefox', 'Safari'];
const list = (page: Page): Locator => page.getByRole('listbox', { name: 'メンションの候補' });
const options = (page: Page): Locator => list(page).getByRole('option');
const chosen = (page: Page): Locator => list(page).getByRole('option', { selected: true });
const panel = (page: Page): Locator => page.getByRole('tabpanel');

/** Types as a hand does. Where nothing is found there is nothing to see. */
async function type(page: Page, text: string): Promise<void> {
  await field(page).fill('');
  await field(page).pressSequentially(text);
}

/** The member in the stream, with the list of whom to mention fetched. */
async function writing(...[browser, product, options]: Parameters<typeof inStream>): Promise<Page> {
  const page = await inStream(browser, product, options);
  await type(page, '@');
  // Readings and departments come a moment after the names.
  await expect(
    list(page)
      .getByRole('option')
      .filter({ hasText: /[ぁ-ん]/ })
      .first(),
  ).toBeVisible();
  await type(page, '@プロダクト');
  await expect(chosen(page)).toContainText('プロダクト開発部');
  await field(page).fill('');
  await expect(list(page)).toBeHidden();
  return page;
}

async function inStream(
  browser: Parameters<typeof signIn>[0],
  product: Product,
  options: Parameters<typeof signIn>[3] = {},
): Promise<Page> {
  const page = await signIn(browser, product, me, options);
  await open(page, stream);
  return page;
}

async function onTelephone(browser: Parameters<typeof signIn>[0], product: Product): Promise<Page> {
  const screen = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await signedInPage(browser, product, me, screen);
  await page.goto('/#/streams');
  return page;
}

test('[I5.5] @ completes members by name, reading and romaji, in either width and behind Japanese', async ({
  browser,
  product,
}) => {
  const page = await writing(browser, product);
  for (const text of ['@佐藤', '＠さとう', 'お疲れ様です@ｻﾄｳ', '@sato', '(@satou']) {
    await type(page, text);
    await expect(chosen(page), text).toContainText('佐藤');
    await expect(field(page)).toHaveAttribute('aria-activedescendant', (await chosen(page).getAttribute('id')) ?? '');
    await field(page).press('Enter');
    await expect(field(page), text).toHaveValue(/@\*\*佐藤 [^*|]+\*\* $/);
    await expect(list(page)).toBeHidden();
  }
  for (const text of ['sato@engawa', '`@佐藤', '@佐藤 さんへ']) {
    await type(page, text);
    await expect(list(page), text).toBeHidden();
  }
});

test('[I5.5] arrows walk, Tab picks, a press picks, and undo brings back what was typed', async ({ browser, product }) => {
  const page = await writing(browser, product);
  await type(page, '見て @');
  const names = await options(page).allInnerTexts();
  expect(names.length).toBeGreaterThan(5);
  await field(page).press('ArrowDown');
  await field(page).press('ArrowDown');
  await expect(chosen(page)).toHaveText(names[2] ?? '', { useInnerText: true });
  await field(page).press('ArrowUp');
  await field(page).press('ArrowUp');
  await field(page).press('ArrowUp');
  await expect(chosen(page)).toHaveText(names.at(-1) ?? '', { useInnerText: true });

  await type(page, '見て @プロダクト');
  await field(page).press('Tab');
  await expect(field(page)).toHaveValue('見て @*プロダクト開発部* ');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field(page)).toHaveValue('見て @プロダクト');
  await expect(list(page)).toBeVisible();
  await options(page).filter({ hasText: 'プロダクト開発部' }).click();
  await expect(field(page)).toHaveValue('見て @*プロダクト開発部* ');
  await expect(field(page)).toBeFocused();
});

test('[R4.7.2, I5.5] Escape closes the list and loses nothing; the next one clears', async ({ browser, product }) => {
  const page = await writing(browser, product);
  await type(page, '確認を @佐');
  await expect(list(page)).toBeVisible();
  await field(page).press('Escape');
  await expect(list(page)).toBeHidden();
  await field(page).pressSequentially('藤');
  await expect(list(page)).toBeHidden();
  await expect(field(page)).toHaveValue('確認を @佐藤');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  // The sign in another place is another mention.
  await type(page, '@佐');
  await expect(list(page)).toBeVisible();
});

test('[I5.5] right after typing, Enter picks whom the text names, and sends where it names nobody', async ({
  browser,
  product,
}) => {
  const page = await writing(browser, product);
  const enterAtOnce = (text: string) =>
    field(page).evaluate(async (area, value) => {
      if (!(area instanceof HTMLTextAreaElement)) throw new TypeError('the field is no text area');
      area.value = value;
      area.setSelectionRange(value.length, value.length);
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // What is typed is taken in before another key can come, and no more than that.
      await Promise.resolve();
      area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }, text);
  await type(page, '@');
  await expect(list(page)).toBeVisible();
  await enterAtOnce('@佐藤');
  await expect(field(page)).toHaveValue(/^@\*\*佐藤 [^*]+\*\* $/);
  await type(page, '@佐');
  await expect(list(page)).toBeVisible();
  await enterAtOnce('@だれでもない人');
  await expect(field(page)).toHaveValue('');
  await expect(message(page, '@だれでもない人').locator('time')).toBeVisible();
});

for (const name of browsers) {
  test(`[R4.8.1, I5.5] as ${name} tells it, the Enter that confirms a conversion never picks, and the next one does`, async ({
    browser,
    product,
  }) => {
    const page = await writing(browser, product);
    await field(page).focus();
    const ime = await inputMethod(page);
    await page.keyboard.type('@');
    await expect(list(page)).toBeVisible();
    await ime.compose('さとう');
    await expect(list(page)).toBeHidden();
    await confirm(ime, name, 'さとう', '佐藤');
    await expect(field(page)).toHaveValue('@佐藤');
    await expect(chosen(page)).toContainText('佐藤');
    // What takes back a conversion leaves the list, too.
    await takeBack(ime, name, 'まちがい');
    await expect(field(page)).toHaveValue('@佐藤');
    await expect(list(page)).toBeVisible();
    await field(page).press('Enter');
    await expect(field(page)).toHaveValue(/^@\*\*佐藤 [^*]+\*\* $/);
    await expect(messages(page).last()).not.toContainText('@佐藤');
  });
}

test('[I5.5] on a telephone the list stands above the composer, within the screen', async ({ browser, product }) => {
  const page = await onTelephone(browser, product);
  await streamRow(page, stream).click();
  await field(page).tap();
  await field(page).pressSequentially('@');
  await expect(list(page)).toBeInViewport({ ratio: 1 });
  const [above, composer] = [await list(page).boundingBox(), await field(page).boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(composer?.y ?? 0);
  await options(page).nth(1).tap();
  await expect(field(page)).toHaveValue(/^@\*\*[^*]+\*\* $/);
  await expect(field(page)).toBeFocused();
});

const mentionsLink = (page: Page): Locator => panel(page).getByRole('link', { name: /^メンション/ });
const found = (page: Page, name: 'メンション' | '注目する言葉' | 'スター'): Locator =>
  page.getByRole('list', { name }).getByRole('link');

test('[I5.5] a mention of me stands out, in the text and in its row; that of another only in the text', async ({
  browser,
  playwright,
  product,
}) => {
  const sato = await authorOf(playwright.request, product, 'sato@engawa.example');
  const page = await inStream(browser, product);
  await sato.say(stream, 'これは@**田中 翔**さんへ');
  const mine = message(page, 'さんへ');
  await expect(mine.getByText('@田中 翔', { exact: true })).toHaveAttribute('data-me', 'true');
  await expect(mine).toContainText('あなたへのメンション');

  const id = await sato.say(stream, '@**鈴木 健太** と @**だれでもない** の話');
  const theirs = message(page, 'の話');
  await expect(theirs.getByText('@鈴木 健太', { exact: true })).toBeVisible();
  await expect(theirs).toContainText('@**だれでもない**');
  await expect(theirs).not.toContainText('あなたへのメンション');

  // What is corrected calls, and no longer calls, those who are called in it then.
  await sato.rewrite(id, '@**all** の話');
  await expect(theirs).toContainText('@全員 の話');
  await expect(theirs).toContainText('あなたへのメンション');
  await sato.rewrite(id, '@_**田中 翔** の話');
  await expect(theirs).toContainText('田中 翔 の話');
  await expect(theirs).not.toContainText('あなたへのメンション');
});

test('[I5.5] mentions count apart in the list, in the tree and on the rail, until they are read', async ({
  browser,
  playwright,
  product,
}) => {
  const sato = await authorOf(playwright.request, product, 'sato@engawa.example');
  const page = await inStream(browser, product);
  await expect(streamRow(page, stream)).not.toContainText('[');
  await streamRow(page, '雑談・縁側').click();
  await expect(header(page)).toHaveText('雑談・縁側');
  await sato.say(stream, '@**田中 翔** 数えてください');
  const second = await sato.say(stream, '@*プロダクト開発部* 集合');
  await sato.say(stream, 'これは数えません');
  await expect(streamRow(page, stream)).toContainText('メンション 2 件');
  await expect(streamRow(page, stream)).toContainText('未読 3 件');
  await expect(mentionsLink(page)).toContainText('メンション 2 件');
  await expect(rail(page, 'ストリーム')).toHaveAccessibleName(/あなた宛て 3 件$/);
  await rail(page, '組織').click();
  await expect(department(page, stream)).toContainText('メンション 2 件');

  await sato.rewrite(second, '集合');
  await expect(department(page, stream)).toContainText('メンション 1 件');
  // With the other stream in front again.
  await sato.say('雑談・縁側', '新しい話');
  await page.reload();
  await expect(department(page, stream)).toContainText('メンション 1 件');
  await department(page, stream).click();
  await expect(department(page, stream)).not.toContainText('メンション');
  await expect(rail(page, 'ストリーム')).not.toHaveAccessibleName(/メンション/);
});

test('[I5.5] a department that is picked calls its members', async ({ browser, product }) => {
  const page = await writing(browser, product);
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await rail(suzuki, 'ストリーム').click();
  await streamRow(suzuki, '雑談・縁側').click();
  await type(page, '@プロダクト');
  await field(page).press('Enter');
  await field(page).pressSequentially('お昼です');
  await field(page).press('Enter');
  await expect(message(page, 'お昼です').getByText('@プロダクト開発部', { exact: true })).toBeVisible();
  await expect(streamRow(suzuki, stream)).toContainText(/メンション \d+ 件/);
});

test('[I5.5] mentions are found in one place, the newest first, as they come and go, and lead to their message', async ({
  browser,
  playwright,
  product,
}) => {
  const sato = await authorOf(playwright.request, product, 'sato@engawa.example');
  const said = await sato.say('雑談・縁側', '@**田中 翔** 一つ目の用件');
  for (let number = 1; number <= 60; number += 1) await sato.say('雑談・縁側', `そのほかの話 ${number}`);
  const page = await inStream(browser, product);
  await mentionsLink(page).click();
  await expect(page).toHaveURL(/#\/mentions$/);
  await expect(found(page, 'メンション').first()).toContainText('一つ目の用件');
  await expect(found(page, 'メンション').first()).toContainText('雑談・縁側');
  const newer = await sato.say(stream, '@**all** @**田中 翔** 二つ目の用件');
  await expect(found(page, 'メンション').first()).toContainText('@全員 @田中 翔 二つ目の用件');
  await sato.rewrite(newer, 'やはり何でもない');
  await expect(found(page, 'メンション').first()).toContainText('一つ目の用件');

  // What came and could not be had is what the next try is for.
  await page.route(/\/api\/v1\/messages\?.*mentioned/, (route) => route.abort(), { times: 1 });
  await sato.say(stream, '@**田中 翔** 三つ目の用件');
  await expect(panel(page).getByRole('alert')).toContainText('サーバーにつながりませんでした');
  await panel(page).getByRole('button', { name: 'もう一度試す' }).click();
  await expect(found(page, 'メンション').first()).toContainText('三つ目の用件');

  await found(page, 'メンション').filter({ hasText: '一つ目の用件' }).click();
  await expect(page).toHaveURL(new RegExp(`/message/${said}$`));
  await expect(header(page)).toHaveText('雑談・縁側');
  await expect(message(page, '一つ目の用件')).toBeInViewport();
  await expect(found(page, 'メンション').first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/#\/mentions$/);
  await panel(page).getByRole('link', { name: 'ストリーム' }).click();
  await expect(streamRow(page, stream)).toBeVisible();
});

test('[I5.5] many mentions come page by page, and what could not be had is tried again', async ({
  browser,
  playwright,
  product,
}) => {
  const sato = await authorOf(playwright.request, product, 'sato@engawa.example');
  for (let number = 1; number <= 35; number += 1) await sato.say('雑談・縁側', `@**田中 翔** 報告 ${number}`);
  const page = await onTelephone(browser, product);
  await mentionsLink(page).click();
  await expect(found(page, 'メンション')).toHaveCount(30);
  await expect(found(page, 'メンション').first()).toContainText('報告 35');
  await page.route(/\/api\/v1\/messages\?.*mentioned/, (route) => route.abort(), { times: 1 });
  await panel(page).getByRole('button', { name: '前のものを表示' }).click();
  await expect(panel(page).getByRole('alert')).toContainText('サーバーにつながりませんでした');
  await expect(found(page, 'メンション')).toHaveCount(30);
  await panel(page).getByRole('button', { name: 'もう一度試す' }).click();
  await expect(found(page, 'メンション').filter({ hasText: '報告 1' }).last()).toBeVisible();
  await found(page, 'メンション').filter({ hasText: '報告 20' }).tap();
  await expect(message(page, '報告 20')).toBeInViewport();
  await page.getByRole('button', { name: '一覧に戻る' }).tap();
  await expect(found(page, 'メンション').first()).toBeVisible();
});

test('[I5.5, R2.21] a mention stands on one line where one can hold it, and is never parted behind its sign', async ({
  browser,
  playwright,
  product,
}) => {
  const sato = await authorOf(playwright.request, product, 'sato@engawa.example');
  // A stream of its own, so that no other test finds it unread.
  const room = '折り返しの部屋';
  await sato.makeStream(room, [me, 'sato@engawa.example']);
  const texts = Array.from({ length: 24 }, (_, index) => `${'あ'.repeat(index + 1)}@**鈴木 健太**、@*プロダクト開発部*`);
  for (const text of texts) await sato.say(room, text);
  const page = await onTelephone(browser, product);
  await streamRow(page, room).click();
  const chips = messages(page).getByText(/^@(鈴木 健太|プロダクト開発部)$/);
  await expect.poll(() => chips.count()).toBeGreaterThan(9);
  const heights = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(32);
});

/** How much of the unread the rail says is for the member; other tests may have left some. */
async function callsSaid(page: Page): Promise<string | undefined> {
  const name = await rail(page, 'ストリーム').getAttribute('aria-label');
  return /あなた宛て \d+ 件/.exec(name ?? '')?.[0];
}

test('[I5.5] alert words are kept in the settings, mark messages within unspaced Japanese, and are found in one place', async ({
  browser,
  playwright,
  product,
}) => {
  const page = await inStream(browser, product);
  await mentionsLink(page).click();
  await panel(page).getByRole('radio', { name: '注目する言葉' }).click();
  await panel(page).getByRole('link', { name: '言葉を登録する' }).click();
  const word = panel(page).getByRole('textbox', { name: '言葉' });
  const add = panel(page).getByRole('button', { name: '追加', exact: true });
  await add.click();
  await expect(panel(page).getByText('言葉を入れてください。')).toBeVisible();
  await expect(word).toBeFocused();
  await word.fill('あ'.repeat(101));
  await add.click();
  await expect(panel(page).getByText('言葉は 100 文字までにしてください。')).toBeVisible();
  const ime = await inputMethod(page);
  for (const name of browsers) {
    await word.fill('');
    await confirm(ime, name, 'けんしゅう', `研修${name === 'Safari' ? '室' : ''}`);
    await expect(panel(page).getByRole('listitem')).toHaveCount(0);
  }
  await word.press('Enter');
  await expect(panel(page).getByRole('listitem')).toHaveText(['研修室']);
  await expect(word).toHaveValue('');
  await word.fill('ﾒﾝﾃﾅﾝｽ');
  await add.click();
  await word.fill('メンテナンス');
  await add.click();
  await expect(panel(page).getByText('この言葉はすでに登録されています。')).toBeVisible();
  await panel(page).getByRole('button', { name: '「研修室」を外す' }).click();
  await expect(panel(page).getByRole('listitem')).toHaveText(['ﾒﾝﾃﾅﾝｽ']);
  await page.getByRole('button', { name: '元に戻す' }).click();
  await expect(panel(page).getByRole('listitem')).toHaveText(['ﾒﾝﾃﾅﾝｽ', '研修室']);

  const sato = await authorOf(playwright.request, product, 'sato@engawa.example');
  const room = '研修の部屋';
  await sato.makeStream(room, [me, 'sato@engawa.example']);
  await sato.say(stream, '明日は研修室でメンテナンス作業です');
  const row = message(page, '作業です');
  await expect(row.locator('mark')).toHaveText(['研修室', 'メンテナンス']);
  await expect(row).toContainText('注目する言葉');
  await rail(page, 'ストリーム').click();
  const before = await callsSaid(page);
  await sato.say(room, '研修室の鍵は総務にあります');
  await expect(streamRow(page, room)).toContainText('[1]');
  expect(await callsSaid(page)).toBe(before);
  await sato.say(room, '@**田中 翔** 研修室の鍵です');
  await expect(streamRow(page, room)).toContainText('[2]');
  expect(await callsSaid(page)).not.toBe(before);
  await mentionsLink(page).click();
  await panel(page).getByRole('radio', { name: '注目する言葉' }).click();
  await expect(found(page, '注目する言葉').locator('mark')).toHaveText(['研修室', '研修室', '研修室', 'メンテナンス']);
});
