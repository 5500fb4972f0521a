import type { Locator, Page } from '@playwright/test';
import { authorOf } from './author.ts';
import { open } from './messageList.ts';
import { browsers, confirm, inputMethod, takeBack, withEachBrowser } from './inputMethod.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, type Product, signedInPage, signIn, test } from './product.ts';
import {
  department,
  field,
  header,
  mentionCandidates,
  mentionChips,
  message,
  messages,
  rail,
  refusal,
  streamRow,
} from './screen.ts';

const me = 'tanaka@engawa.example';
const stream = 'プロダクト開発部';
const options = (page: Page): Locator => mentionCandidates(page).getByRole('option');
const chosen = (page: Page): Locator => mentionCandidates(page).getByRole('option', { selected: true });
const panel = (page: Page): Locator => page.getByRole('tabpanel');

/** Types key by key. */
async function type(page: Page, text: string): Promise<void> {
  await field(page).fill('');
  await field(page).pressSequentially(text);
}

/** Opens the stream and loads the candidates. */
async function writing(...[browser, product, options]: Parameters<typeof inStream>): Promise<Page> {
  const page = await inStream(browser, product, options);
  await type(page, '@');
  // Readings and departments load after the names.
  await expect(
    mentionCandidates(page)
      .getByRole('option')
      .filter({ hasText: /[ぁ-ん]/ })
      .first(),
  ).toBeVisible();
  await type(page, '@プロダクト');
  await expect(chosen(page)).toContainText('プロダクト開発部');
  await field(page).fill('');
  await expect(mentionCandidates(page)).toBeHidden();
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
  // Once the tab has registered, no list loads again.
  await expect(streamRow(page, stream)).toBeVisible();
  return page;
}

test('[I5.5] The composer offers members after @ by name, reading or romaji, also directly after Japanese text', async ({
  browser,
  product,
}) => {
  const page = await writing(browser, product);
  for (const text of ['@佐藤', '＠さとう', 'お疲れ様です@ｻﾄｳ', '@sato', '(@satou']) {
    await type(page, text);
    await expect(chosen(page), text).toContainText('佐藤');
    await expect(field(page)).toHaveAttribute('aria-activedescendant', (await chosen(page).getAttribute('id')) ?? '');
    await field(page).press('Enter');
    await expect(field(page), text).toHaveValue(/@佐藤 \S+ $/);
    await expect(mentionChips(page), text).toHaveText(/^@佐藤 \S+$/);
    await expect(mentionCandidates(page)).toBeHidden();
  }
  for (const text of ['sato@engawa', '`@佐藤', '@佐藤 さんへ']) {
    await type(page, text);
    await expect(mentionCandidates(page), text).toBeHidden();
  }
});

test('[I5.5] Arrow keys move through the offered mentions, Tab or a press inserts one, and undo restores the typed text', async ({
  browser,
  product,
}) => {
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
  await expect(field(page)).toHaveValue('見て @プロダクト開発部 ');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(field(page)).toHaveValue('見て @プロダクト');
  await expect(mentionCandidates(page)).toBeVisible();
  await options(page).filter({ hasText: 'プロダクト開発部' }).click();
  await expect(field(page)).toHaveValue('見て @プロダクト開発部 ');
  await expect(field(page)).toBeFocused();
  await type(page, '@');
  await expect(mentionCandidates(page)).toBeVisible();
  await checkScreen(page, '54 composer, whom to mention');
});

test('[R4.7.2, I5.5] The first Escape closes the list of offered mentions, and the next Escape clears the text', async ({
  browser,
  product,
}) => {
  const page = await writing(browser, product);
  await type(page, '確認を @佐');
  await expect(mentionCandidates(page)).toBeVisible();
  await field(page).press('Escape');
  await expect(mentionCandidates(page)).toBeHidden();
  await field(page).pressSequentially('藤');
  await expect(mentionCandidates(page)).toBeHidden();
  await expect(field(page)).toHaveValue('確認を @佐藤');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  await type(page, '@佐');
  await expect(mentionCandidates(page)).toBeVisible();
  await checkScreen(page, '55 composer, a mention searched');
});

test('[I5.5] Enter right after typing @ and a name inserts that mention, and sends the text if no member has the name', async ({
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
      // The page handles the input event before the key, and renders nothing in between.
      await Promise.resolve();
      area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }, text);
  await type(page, '@');
  await expect(mentionCandidates(page)).toBeVisible();
  await enterAtOnce('@佐藤');
  await expect(field(page)).toHaveValue(/^@佐藤 \S+ $/);
  await type(page, '@佐');
  await expect(mentionCandidates(page)).toBeVisible();
  await enterAtOnce('@だれでもない人');
  await expect(field(page)).toHaveValue('');
  await expect(message(page, '@だれでもない人').locator('time')).toBeVisible();
});

test('[R4.8.1, I5.5] With the key events of each browser, the Enter that confirms a kana conversion inserts no mention, and the next Enter does', async ({
  browser,
  product,
}) => {
  const page = await writing(browser, product);
  const ime = await inputMethod(page);
  await withEachBrowser(async (name) => {
    await field(page).fill('');
    await field(page).focus();
    await page.keyboard.type('@');
    await expect(mentionCandidates(page)).toBeVisible();
    await ime.compose('さとう');
    await expect(mentionCandidates(page)).toBeHidden();
    await confirm(ime, name, 'さとう', '佐藤');
    await expect(field(page)).toHaveValue('@佐藤');
    await expect(chosen(page)).toContainText('佐藤');
    await takeBack(ime, name, 'まちがい');
    await expect(field(page)).toHaveValue('@佐藤');
    await expect(mentionCandidates(page)).toBeVisible();
    await field(page).press('Enter');
    await expect(field(page)).toHaveValue(/^@佐藤 \S+ $/);
    await expect(messages(page).last()).not.toContainText('@佐藤');
  });
});

test('[I5.5] On a phone, the list of offered mentions is above the composer and inside the screen', async ({
  browser,
  product,
}) => {
  const page = await onTelephone(browser, product);
  await streamRow(page, stream).click();
  await field(page).tap();
  await field(page).pressSequentially('@');
  await expect(mentionCandidates(page)).toBeInViewport({ ratio: 1 });
  const [above, composer] = [await mentionCandidates(page).boundingBox(), await field(page).boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(composer?.y ?? 0);
  await options(page).nth(1).tap();
  await expect(mentionChips(page)).toHaveCount(1);
  await expect(field(page)).toHaveValue(/^@[^*]+ $/);
  await expect(field(page)).toBeFocused();
});

const mentionsLink = (page: Page): Locator => panel(page).getByRole('link', { name: /^メンション/ });
const found = (page: Page, name: 'メンション' | '注目する言葉' | 'スター'): Locator =>
  page.getByRole('list', { name }).getByRole('link');

test('[I5.5] A mention is highlighted, and a message that mentions the reader is highlighted as a whole', async ({
  browser,
  product,
}) => {
  const sato = await authorOf(product, 'sato@engawa.example');
  const page = await inStream(browser, product);
  await sato.send(stream, 'これは@**田中 翔**さんへ');
  const mine = message(page, 'さんへ');
  await expect(mine.getByText('@田中 翔', { exact: true })).toHaveAttribute('data-me', 'true');
  await expect(mine).toContainText('あなたへのメンション');

  const id = await sato.send(stream, '@**鈴木 健太** と @**だれでもない** の話');
  const theirs = message(page, 'の話');
  await expect(theirs.getByText('@鈴木 健太', { exact: true })).toBeVisible();
  await expect(theirs).toContainText('@**だれでもない**');
  await expect(theirs).not.toContainText('あなたへのメンション');

  await sato.edit(id, '@**all** の話');
  await expect(theirs).toContainText('@全員 の話');
  await expect(theirs).toContainText('あなたへのメンション');
  await sato.edit(id, '@_**田中 翔** の話');
  await expect(theirs).toContainText('田中 翔 の話');
  await expect(theirs).not.toContainText('あなたへのメンション');
});

test('[I5.5] The list of streams, the tree and the navigation count the mentions that the member has not read', async ({
  browser,
  product,
}) => {
  const sato = await authorOf(product, 'sato@engawa.example');
  const page = await inStream(browser, product);
  await expect(streamRow(page, stream)).not.toContainText('[');
  await streamRow(page, '雑談・縁側').click();
  await expect(header(page)).toHaveText('雑談・縁側');
  await sato.send(stream, '@**田中 翔** 数えてください');
  const second = await sato.send(stream, '@*プロダクト開発部* 集合');
  await sato.send(stream, 'これは数えません');
  await expect(streamRow(page, stream)).toContainText('メンション 2 件');
  await expect(streamRow(page, stream)).toContainText('未読 3 件');
  await expect(mentionsLink(page)).toContainText('メンション 2 件');
  await expect(rail(page, 'ストリーム')).toHaveAccessibleName(/メンション 2 件$/);
  await rail(page, '組織').click();
  await expect(department(page, stream)).toContainText('メンション 2 件');

  await sato.edit(second, '集合');
  await expect(department(page, stream)).toContainText('メンション 1 件');
  await sato.send('雑談・縁側', '新しい話');
  await page.reload();
  await expect(department(page, stream)).toContainText('メンション 1 件');
  await department(page, stream).click();
  await expect(department(page, stream)).not.toContainText('メンション');
  await expect(rail(page, 'ストリーム')).not.toHaveAccessibleName(/メンション/);
});

test('[I5.5] A message that mentions a department notifies the members of the department', async ({ browser, product }) => {
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

test('[I5.5] The composer completes a group that a member has just made, and a message to it notifies the group', async ({
  browser,
  product,
}) => {
  const page = await writing(browser, product);
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await rail(suzuki, 'ストリーム').click();
  await streamRow(suzuki, '雑談・縁側').click();
  const sato = await authorOf(product, 'sato@engawa.example');
  await sato.createGroup('登山部', ['suzuki@engawa.example', 'sato@engawa.example']);
  await type(page, '@登山');
  await expect(chosen(page)).toContainText('登山部');
  await field(page).press('Enter');
  await field(page).pressSequentially('山の話です');
  await field(page).press('Enter');
  await expect(message(page, '山の話です').getByText('@登山部', { exact: true })).toBeVisible();
  await expect(streamRow(suzuki, stream)).toContainText(/メンション \d+ 件/);
});

test('[I5.5] The list of mentions shows new mentions at once, newest first, and a row opens its message', async ({
  browser,
  product,
}) => {
  const sato = await authorOf(product, 'sato@engawa.example');
  const said = await sato.send('雑談・縁側', '@**田中 翔** 一つ目の用件');
  for (let number = 1; number <= 60; number += 1) await sato.send('雑談・縁側', `そのほかの話 ${number}`);
  // The page opens the stream of the newest message. In the other stream it could mark the mention as read.
  await sato.send(stream, '部の話');
  const page = await inStream(browser, product);
  await mentionsLink(page).click();
  await expect(page).toHaveURL(/#\/mentions$/);
  await expect(found(page, 'メンション').first()).toContainText('一つ目の用件');
  await expect(found(page, 'メンション').first()).toContainText('雑談・縁側');
  await expect(found(page, 'メンション').first()).toContainText('未読');
  const newer = await sato.send(stream, '@**all** @**田中 翔** 二つ目の用件');
  await expect(found(page, 'メンション').first()).toContainText('@全員 @田中 翔 二つ目の用件');
  await checkScreen(page, '24 mentions');
  await sato.edit(newer, 'やはり何でもない');
  await expect(found(page, 'メンション').first()).toContainText('一つ目の用件');

  await page.route(/\/api\/v1\/messages\?.*mentioned/, (route) => route.abort(), { times: 1 });
  await sato.send(stream, '@**田中 翔** 三つ目の用件');
  await expect(panel(page).getByRole('alert')).toContainText('サーバーにつながりませんでした');
  await panel(page).getByRole('button', { name: 'もう一度試す' }).click();
  await expect(found(page, 'メンション').first()).toContainText('三つ目の用件');

  await found(page, 'メンション').filter({ hasText: '一つ目の用件' }).click();
  await expect(page).toHaveURL(new RegExp(`/message/${said}$`));
  await expect(header(page)).toHaveText('雑談・縁側');
  await expect(message(page, '一つ目の用件')).toBeInViewport();
  await expect(found(page, 'メンション').filter({ hasText: '一つ目の用件' })).not.toContainText('未読');
  await expect(found(page, 'メンション').first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/#\/mentions$/);
  await panel(page).getByRole('link', { name: 'ストリーム' }).click();
  await expect(streamRow(page, stream)).toBeVisible();
});

test('[I5.5] The list of mentions loads page by page as the reader scrolls, and offers to retry a failed page', async ({
  browser,
  product,
}) => {
  const sato = await authorOf(product, 'sato@engawa.example');
  for (let number = 1; number <= 35; number += 1) await sato.send('雑談・縁側', `@**田中 翔** 報告 ${number}`);
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

test('[I5.5, R2.21] A mention that fits on one line is never broken across two lines', async ({ browser, product }) => {
  const sato = await authorOf(product, 'sato@engawa.example');
  // A separate stream, so that other tests do not find it unread.
  const separate = '折り返しの部屋';
  await sato.createStream(separate, [me, 'sato@engawa.example']);
  const texts = Array.from({ length: 24 }, (_, index) => `${'あ'.repeat(index + 1)}@**鈴木 健太**、@*プロダクト開発部*`);
  for (const text of texts) await sato.send(separate, text);
  const page = await onTelephone(browser, product);
  await streamRow(page, separate).click();
  const chips = messages(page).getByText(/^@(鈴木 健太|プロダクト開発部)$/);
  await expect.poll(() => chips.count()).toBeGreaterThan(9);
  const heights = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(32);
});

/** The count of mentions in the label of the rail; other tests may have left some. */
async function mentionsSaid(page: Page): Promise<string | undefined> {
  const name = await rail(page, 'ストリーム').getAttribute('aria-label');
  return /メンション \d+ 件/.exec(name ?? '')?.[0];
}

test('[I5.5] A member adds alert words in the settings, and messages with them are highlighted and listed', async ({
  browser,
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
  await checkScreen(page, '84b settings, alert words');
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

  const sato = await authorOf(product, 'sato@engawa.example');
  const separate = '研修の部屋';
  await sato.createStream(separate, [me, 'sato@engawa.example']);
  await sato.send(stream, '明日は研修室でメンテナンス作業です');
  const row = message(page, '作業です');
  await expect(row.locator('mark')).toHaveText(['研修室', 'メンテナンス']);
  await expect(row).toContainText('注目する言葉');
  await checkScreen(page, '44d chat, mentions and alert words');
  await rail(page, 'ストリーム').click();
  const before = await mentionsSaid(page);
  await sato.send(separate, '研修室の鍵は総務にあります');
  await expect(streamRow(page, separate)).toContainText('[2]');
  expect(await mentionsSaid(page)).toBe(before);
  await sato.send(separate, '@**田中 翔** 研修室の鍵です');
  await expect(streamRow(page, separate)).toContainText('[3]');
  expect(await mentionsSaid(page)).not.toBe(before);
  await mentionsLink(page).click();
  await panel(page).getByRole('radio', { name: '注目する言葉' }).click();
  await expect(found(page, '注目する言葉').locator('mark')).toHaveText(['研修室', '研修室', '研修室', 'メンテナンス']);
  await checkScreen(page, '25 mentions, alert words');
});

test('[I5.5, R8.4] The list of mentions says that it is empty or could not be loaded', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'ishii@engawa.example');
  await page.goto('/#/mentions');
  await expect(panel(page).getByText('メンションはまだありません')).toBeVisible();
  await checkScreen(page, '26 mentions, none');
  await page.route(/\/api\/v1\/messages\?.*mentioned/, (route) => route.fulfill(refusal));
  await page.reload();
  await expect(panel(page).getByRole('button', { name: 'もう一度試す' })).toBeVisible();
  await checkScreen(page, '27 mentions, failed');
});
