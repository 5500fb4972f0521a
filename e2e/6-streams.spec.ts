import type { Browser, Locator, Page } from '@playwright/test';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, type Product, signIn, test } from './product.ts';
import { department, field, header, delayDecoding, message, rail, streamRow, write } from './screen.ts';

const owner = 'takahashi.koichi@engawa.example';
const maker = 'tanaka@engawa.example';
const other = 'sato@engawa.example';

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const dialog = (page: Page): Locator => page.getByRole('dialog');
const item = (page: Page, name: string): Locator => page.getByRole('menuitem', { name });
const muteMark = (page: Page): Locator => button(page, 'ミュート中（押すと解除）');
const awayList = (page: Page): Locator => page.getByRole('list', { name: 'アーカイブ済み' });
const awayButton = (page: Page): Locator => page.getByRole('button', { name: /^アーカイブ済み/ });

async function choose(page: Page, name: string): Promise<void> {
  await button(page, 'その他の操作').click();
  await item(page, name).click();
}

async function group(page: Page, name: string, description = ''): Promise<void> {
  await rail(page, 'ストリーム').click();
  await button(page, 'グループを作成').click();
  await dialog(page).getByLabel('グループ名').fill(name);
  await dialog(page).getByLabel('説明（任意）').fill(description);
  await dialog(page).getByRole('combobox').fill('さとう みさき');
  await dialog(page).getByRole('option', { name: '佐藤 美咲' }).first().click();
  await dialog(page).getByRole('button', { name: '作成', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(header(page)).toHaveText(name);
}

async function open(page: Page, name: string): Promise<void> {
  await rail(page, 'ストリーム').click();
  await streamRow(page, name).click();
  await expect(header(page)).toHaveText(name);
}

async function two(browser: Browser, product: Product, name: string): Promise<{ mine: Page; theirs: Page }> {
  const mine = await signIn(browser, product, maker);
  const theirs = await signIn(browser, product, other);
  await group(mine, name);
  await open(theirs, name);
  return { mine, theirs };
}

test.describe('A group', () => {
  test('[R2.7, R2.11.1] The creator of a group changes its description and name, and all members see the change at once', async ({
    browser,
    product,
  }) => {
    const mine = await signIn(browser, product, maker);
    const theirs = await signIn(browser, product, other);
    await group(mine, '読書会', '月に一冊。 https://books.example/2026');
    await open(theirs, '読書会');
    await choose(theirs, 'プロフィールを表示');
    await expect(dialog(theirs).getByRole('link', { name: 'https://books.example/2026' })).toBeVisible();
    await expect(dialog(theirs).getByText('編集できるのは、作成した人と管理者だけです。')).toBeVisible();
    await expect(button(theirs, '編集')).toHaveAttribute('aria-disabled', 'true');

    await choose(mine, 'プロフィールを表示');
    await dialog(mine).getByRole('button', { name: '編集', exact: true }).click();
    await dialog(mine).getByLabel('名前', { exact: true }).fill('輪読会');
    await dialog(mine).getByLabel('説明').fill('今月は *論文* です。');
    await dialog(mine).getByRole('button', { name: '保存' }).click();
    await expect(dialog(mine).getByText('今月は 論文 です。')).toBeVisible();
    await expect(dialog(theirs)).toContainText('輪読会');
    await theirs.keyboard.press('Escape');
    await expect(header(theirs)).toHaveText('輪読会');
    await expect(streamRow(theirs, '輪読会')).toBeVisible();
  });

  test('[R2.11.1] The form that renames a stream says why a name is refused, and keeps its input', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, maker);
    await group(page, '勉強会 甲');
    await group(page, '勉強会 乙');
    await choose(page, 'プロフィールを表示');
    await dialog(page).getByRole('button', { name: '編集', exact: true }).click();
    const name = dialog(page).getByLabel('名前', { exact: true });
    await name.fill('勉強会 甲');
    await dialog(page).getByRole('button', { name: '保存' }).click();
    await expect(dialog(page).getByRole('alert').filter({ hasText: 'already taken' })).toBeVisible();
    await expect(name).toHaveValue('勉強会 甲');
    await checkScreen(page, '71c stream, to be edited');
  });

  test('[R2.11.1, R5.2] A manager sets and removes the picture of a group, and all members see the change at once', async ({
    browser,
    product,
  }) => {
    const { mine, theirs } = await two(browser, product, '写真部');
    await choose(mine, 'プロフィールを表示');
    await dialog(mine).getByRole('button', { name: '編集', exact: true }).click();
    const file = { name: '縁側.png', mimeType: 'image/png', buffer: png(120, 80, () => [44, 106, 80] as const) };
    await dialog(mine)
      .locator('input[type=file]')
      .setInputFiles({ ...file, name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await expect(dialog(mine).getByText('Sorry you can only upload JPG|JPEG|PNG|GIF files.')).toBeVisible();
    const decode = await delayDecoding(mine);
    await dialog(mine).locator('input[type=file]').setInputFiles(file);
    await dialog(mine).getByRole('button', { name: '保存' }).click();
    let sent = 0;
    mine.on('request', (request) => void (request.method() !== 'GET' && request.url().includes('/picture') && (sent += 1)));
    await dialog(mine).getByRole('textbox', { name: '説明' }).press('Enter');
    await decode();
    await expect(dialog(mine).locator('[data-size=profile] img')).toBeVisible();
    expect(sent).toBe(1);
    const shown = theirs.locator('main header [data-size=header] img');
    await expect(shown).toHaveAttribute('src', /^\/api\/streams\/\d+\/picture\//);
    await expect(streamRow(theirs, '写真部').locator('img')).toBeVisible();

    await dialog(mine).getByRole('button', { name: '編集', exact: true }).click();
    await dialog(mine).getByRole('button', { name: '画像を外す' }).click();
    await dialog(mine).getByRole('button', { name: '保存' }).click();
    await expect(shown).toHaveCount(0);
  });

  test('[R2.11.1] A manager adds and removes members of a group, and a removed member sees a notice', async ({
    browser,
    product,
  }) => {
    const { mine, theirs } = await two(browser, product, '合唱部');
    await open(theirs, '雑談・縁側');
    await field(theirs).fill('書きかけの雑談');
    await open(theirs, '合唱部');

    await choose(mine, 'プロフィールを表示');
    await dialog(mine).getByRole('button', { name: 'メンバーを追加' }).click();
    await dialog(mine).getByRole('combobox').fill('鈴木 健太');
    await dialog(mine).getByRole('option', { name: '鈴木 健太' }).first().click();
    await checkScreen(mine, '71d stream, members to be added');
    await dialog(mine).getByRole('button', { name: '追加', exact: true }).click();
    const newMember = dialog(mine).getByRole('listitem').filter({ hasText: '鈴木 健太' });
    await expect(newMember).toBeVisible();
    // Long lists must not lay out members that are not visible.
    await expect(newMember).toHaveCSS('content-visibility', 'auto');
    await expect(theirs.locator('main header').getByText('(3)')).toBeVisible();

    await dialog(mine).getByRole('button', { name: '佐藤 美咲 を外す' }).click();
    await dialog(mine).getByRole('button', { name: '外す', exact: true }).click();
    await expect(dialog(mine).getByRole('listitem').filter({ hasText: '佐藤 美咲' })).toHaveCount(0);
    await expect(theirs.getByText('「合唱部」のメンバーではなくなりました。')).toBeVisible();
    await expect(streamRow(theirs, '合唱部')).toHaveCount(0);
    await open(theirs, '雑談・縁側');
    await expect(field(theirs)).toHaveValue('書きかけの雑談');
  });

  test('[R2.11.1] A member leaves a group after a confirmation that names the consequences', async ({ browser, product }) => {
    const { mine, theirs } = await two(browser, product, '登山部');
    await choose(theirs, 'プロフィールを表示');
    await dialog(theirs).getByRole('button', { name: '退出' }).click();
    await expect(dialog(theirs)).toContainText('これまでのメッセージも読めなくなります');
    await checkScreen(theirs, '71e stream, to be left');
    await dialog(theirs).getByRole('button', { name: '退出する' }).click();
    await expect(dialog(theirs)).toBeHidden();
    await expect(streamRow(theirs, '登山部')).toHaveCount(0);
    await expect(mine.locator('main header').getByText('(1)')).toBeVisible();
  });
});

test.describe('Muting', () => {
  test('[R2.11.2] A muted stream shows its unread count in grey, is not counted in the totals, and has a mute button', async ({
    browser,
    product,
  }) => {
    const { mine, theirs } = await two(browser, product, '通知の多い部屋');
    const second = await signIn(browser, product, other);
    await choose(theirs, 'ミュート');
    await expect(muteMark(theirs)).toBeVisible();
    await checkScreen(theirs, '72 stream, muted');
    for (const page of [theirs, second]) await open(page, '雑談・縁側');
    await rail(second, 'ストリーム').click();
    const total = (await rail(second, 'ストリーム').getAttribute('aria-label')) ?? '';
    await write(mine, '一件目です');
    const row = streamRow(second, '通知の多い部屋');
    await expect(row.locator('[data-muted=true]')).toContainText('[1]');
    await expect(rail(second, 'ストリーム')).toHaveAttribute('aria-label', total);
    await streamRow(second, '通知の多い部屋').click();
    await muteMark(second).click();
    await expect(muteMark(second)).toBeHidden();
    await open(theirs, '通知の多い部屋');
    await expect(muteMark(theirs)).toBeHidden();
  });

  test('[R2.11.2] A member chooses one of three notification levels of a stream, and unmuting restores the level before', async ({
    browser,
    product,
  }) => {
    const { theirs } = await two(browser, product, '静かな部屋');
    await choose(theirs, '通知');
    await expect(dialog(theirs).getByRole('radio', { name: /^メンションのみ/ })).toBeChecked();
    await dialog(theirs).getByText('すべてのメッセージ').click();
    await expect(dialog(theirs).getByRole('radio', { name: /^すべて/ })).toBeChecked();
    await theirs.keyboard.press('ArrowUp');
    await expect(dialog(theirs).getByRole('radio', { name: /^なし/ })).toBeChecked();
    await theirs.keyboard.press('Escape');
    await expect(muteMark(theirs)).toBeVisible();
    await choose(theirs, 'ミュートを解除');
    await expect(muteMark(theirs)).toBeHidden();
    await theirs.reload();
    await choose(theirs, '通知');
    await expect(dialog(theirs).getByRole('radio', { name: /^すべて/ }), 'as it was before').toBeChecked();
    await checkScreen(theirs, '72b stream notifications');
  });
});

test.describe('Archiving', () => {
  test('[R2.11.3] An archived stream moves into a folded section of the member’s list, and back when the member restores it', async ({
    browser,
    product,
  }) => {
    const { mine, theirs } = await two(browser, product, '去年の企画');
    const second = await signIn(browser, product, other);
    await rail(second, 'ストリーム').click();
    await choose(theirs, 'アーカイブ');
    for (const page of [theirs, second]) {
      await expect(streamRow(page, '去年の企画')).toHaveCount(0);
      await expect(awayButton(page)).toHaveAttribute('aria-expanded', 'false');
    }
    await expect(streamRow(mine, '去年の企画'), 'others keep it').toBeVisible();
    await write(mine, '呼びかけない一言');
    await expect(message(theirs, '呼びかけない一言'), 'it can be read').toBeVisible();

    await second.getByRole('searchbox', { name: 'ストリームを検索' }).fill('去年');
    await expect(awayList(second).getByRole('link'), 'a search looks into it').toContainText('去年の企画');
    await second.getByRole('searchbox', { name: 'ストリームを検索' }).fill('');
    await awayButton(second).focus();
    await second.keyboard.press('Enter');
    await second.keyboard.press('Tab');
    await second.keyboard.press('Enter');
    await expect(header(second)).toHaveText('去年の企画');
    await choose(second, '一覧に戻す');
    await expect(streamRow(theirs, '去年の企画')).toBeVisible();
    await expect(awayButton(theirs)).toHaveCount(0);
  });

  test('[R2.11.3] A mention returns an archived stream to the member’s list, and an ordinary message does not', async ({
    browser,
    product,
  }) => {
    const { mine, theirs } = await two(browser, product, '来年の企画');
    await choose(theirs, 'アーカイブ');
    await expect(awayButton(theirs)).toBeVisible();
    await open(theirs, '雑談・縁側');
    await write(mine, 'ひとりごとです');
    await awayButton(theirs).click();
    await expect(awayList(theirs).getByRole('link')).toContainText('ひとりごとです');
    await checkScreen(theirs, '72d streams, put away');
    await expect(streamRow(theirs, '来年の企画')).toHaveCount(0);
    await write(mine, '@**佐藤 美咲** さん、お願いします');
    await expect(streamRow(theirs, '来年の企画')).toContainText('@1');
    await expect(awayButton(theirs)).toHaveCount(0);
  });

  test('[R2.11.3] The notice about an archived stream has a button that restores the stream', async ({ browser, product }) => {
    const page = await signIn(browser, product, maker);
    await group(page, 'うっかり');
    await choose(page, 'アーカイブ');
    await button(page, '元に戻す').click();
    await expect(streamRow(page, 'うっかり')).toBeVisible();
  });
});

test.describe('Deleting', () => {
  test('[R2.11.4] A manager deletes a stream by typing its name, and members who have the stream open see a notice', async ({
    browser,
    product,
  }) => {
    const { mine, theirs } = await two(browser, product, '終わった ＰＪ');
    await choose(theirs, 'プロフィールを表示');
    await choose(mine, '削除');
    const submit = dialog(mine).getByRole('button', { name: '削除する' });
    const name = dialog(mine).getByRole('textbox');
    await name.fill('終わった');
    await submit.click();
    await expect(dialog(mine)).toContainText('ストリームの名前と違います。');
    await checkScreen(mine, '72c stream, to be deleted');
    await name.fill(' 終わった PJ ');
    await submit.click();
    // The notice disappears after a while.
    await Promise.all(
      [mine, theirs].map((page) => {
        const notice = page.getByRole('status').filter({ hasText: '「終わった ＰＪ」は削除されました。' });
        return expect(notice, 'a word, and no warning').toBeVisible();
      }),
    );
    for (const page of [mine, theirs]) {
      await expect(dialog(page), 'what was open for it closes').toHaveCount(0);
      await expect(streamRow(page, '終わった ＰＪ')).toHaveCount(0);
    }
  });

  test('[R2.11.4] For a member who may not delete a stream, the menu item says why and does nothing', async ({
    browser,
    product,
  }) => {
    const { theirs } = await two(browser, product, '人の企画');
    await button(theirs, 'その他の操作').press('ArrowUp');
    await expect(item(theirs, '削除')).toBeFocused();
    await expect(item(theirs, '削除')).toHaveAttribute('aria-disabled', 'true');
    await expect(item(theirs, '削除')).toContainText('できるのは、作成した人と管理者だけです。');
    await theirs.keyboard.press('Enter');
    await expect(item(theirs, '削除'), 'the menu stays').toBeVisible();
    await expect(dialog(theirs)).toHaveCount(0);
  });

  test('[R2.11.4, R2.11.1] Nobody can leave or delete the stream of a department, not even an owner', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, owner);
    await department(page, '株式会社 縁側').click();
    await button(page, 'その他の操作').click();
    await expect(item(page, '削除')).toContainText('部署のストリームのため');
    await item(page, 'プロフィールを表示').click();
    await expect(button(page, '退出')).toHaveAttribute('aria-disabled', 'true');
    await button(page, '編集').click();
    await expect(dialog(page)).toContainText('部署のストリームのため');
    await expect(dialog(page).getByLabel('説明')).toBeVisible();
    await expect(dialog(page).getByLabel('名前', { exact: true })).toHaveCount(0);
  });
});

test('[R2.21, R2.11.1] On a phone, the profile of a stream and its buttons fit the window', async ({ browser, product }) => {
  const page = await signIn(browser, product, maker);
  await group(page, '電話から');
  await page.setViewportSize({ width: 390, height: 760 });
  await choose(page, 'プロフィールを表示');
  for (const name of ['編集', 'メンバーを追加', '退出']) {
    await expect(dialog(page).getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
  const { scrollWidth, clientWidth } = await dialog(page).evaluate(({ scrollWidth, clientWidth }) => ({
    scrollWidth,
    clientWidth,
  }));
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  await checkScreen(page, '71d stream profile, of a group of one’s own');
});
