import type { Locator, Page } from '@playwright/test';
import { inputMethod } from './inputMethod.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInPage, signIn, test as base } from './product.ts';
import { field, header, hold, message, rail, streamRow, typeAndEnterAtOnce, write } from './screen.ts';

const create = (page: Page): Locator => page.getByRole('button', { name: 'グループを作成', exact: true });
const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'グループを作成' });
const name = (page: Page): Locator => dialog(page).getByRole('textbox', { name: 'グループ名' });
const members = (page: Page): Locator => dialog(page).getByRole('combobox', { name: '名前・読み・部署で検索' });
/** A department or a member, not the department that names the member. */
const option = (page: Page, of: string): Locator =>
  dialog(page)
    .getByRole('option', { name: new RegExp(`^\\S? ?${of}`) })
    .first();
const chips = (page: Page): Locator => dialog(page).getByRole('list', { name: '選んだメンバー' }).getByRole('button');
const submit = (page: Page): Locator => dialog(page).getByRole('button', { name: '作成', exact: true });

async function openDialog(page: Page): Promise<void> {
  await rail(page, 'ストリーム').click();
  await create(page).click();
  await expect(dialog(page)).toBeVisible();
}

/** The page of a member with the open dialog. */
const test = base.extend({
  page: async ({ browser, product }, provide) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await openDialog(page);
    await provide(page);
  },
});

/** Text of the active option, read in one step because the list changes. */
const reached = (page: Page): Promise<string | null> =>
  members(page).evaluate(
    (search) => document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null,
  );

test.describe('Creating a group', () => {
  test('[R2.7.1, R2.7.2] A member creates a group, which opens at once and appears in the stream lists of the chosen members', async ({
    browser,
    product,
  }) => {
    const tanaka = await signIn(browser, product, 'tanaka@engawa.example');
    const mori = await signIn(browser, product, 'mori@engawa.example');
    const kimura = await signIn(browser, product, 'kimura@engawa.example');
    await rail(mori, 'ストリーム').click();
    await rail(kimura, 'ストリーム').click();

    await openDialog(tanaka);
    await name(tanaka).fill(' 秋の社員旅行 ');
    await members(tanaka).fill('もり ゆい');
    await option(tanaka, '森 結衣').click();
    await members(tanaka).fill('デザイン室');
    await option(tanaka, 'デザイン室 全員').click();
    await expect(chips(tanaka)).toHaveCount(4);
    await checkScreen(tanaka, '31 create group, members chosen');
    await submit(tanaka).click();

    await expect(dialog(tanaka)).toBeHidden();
    await expect(header(tanaka)).toHaveText('秋の社員旅行');
    await expect(tanaka.locator('header').getByText('(5)')).toBeVisible();
    await expect(streamRow(tanaka, '秋の社員旅行')).toHaveAttribute('aria-current', 'true');
    const created = '田中 翔さんがグループを作りました';
    for (const page of [tanaka, mori]) {
      const first = page.getByRole('list', { name: 'ストリームの一覧' }).getByRole('link').first();
      await expect(first).toContainText(`秋の社員旅行`);
      await expect(first).toContainText(created);
    }
    await expect(streamRow(tanaka, '秋の社員旅行')).not.toContainText('未読');
    await expect(streamRow(mori, '秋の社員旅行')).toContainText('未読 1 件');
    await expect(tanaka.getByRole('log').getByText(created)).toBeVisible();
    await checkScreen(tanaka, '44e chat, a new group');
    await write(tanaka, '行き先を決めましょう');
    await streamRow(mori, '秋の社員旅行').click();
    await expect(message(mori, '行き先を決めましょう')).toBeVisible();
    await mori.reload();
    await expect(mori.getByRole('log').getByText(created)).toBeVisible();
    await expect(streamRow(kimura, '秋の社員旅行')).toHaveCount(0);

    const { streams } = await (await tanaka.request.get('/api/v1/streams')).json();
    const made = streams.find((stream: { name: string }) => stream.name === '秋の社員旅行');
    expect(made).toMatchObject({ invite_only: true, history_public_to_subscribers: true });
    const others = await (await kimura.request.get('/api/v1/streams')).json();
    expect(others.streams.map((stream: { name: string }) => stream.name)).not.toContain('秋の社員旅行');
  });

  test('[R2.7.2] The group dialog requires a name of at most 60 characters and counts the typed characters', async ({ page }) => {
    await expect(name(page)).toBeFocused();
    await submit(page).click();
    await expect(dialog(page).getByRole('alert')).toHaveText('グループ名を入れてください。');
    await expect(name(page)).toBeFocused();
    await checkScreen(page, '33 create group, the name missing');
    await name(page).fill('あ'.repeat(61));
    await expect(dialog(page).getByText('61 / 60')).toBeVisible();
    await expect(name(page)).toHaveAttribute('aria-invalid', 'true');
    await checkScreen(page, '34 create group, the name too long');
    await submit(page).click();
    await expect(dialog(page)).toBeVisible();
    await name(page).fill('あ'.repeat(60));
    await expect(name(page)).toHaveAttribute('aria-invalid', 'false');
  });

  test('[R2.7.2] A group name that exists is refused: the dialog stays, nobody is added, and a button opens the existing stream', async ({
    page,
    browser,
    product,
  }) => {
    await members(page).fill('さとう');
    await option(page, '佐藤 美咲').click();

    // A name of a stream that is hidden from the member.
    await name(page).fill('経理部');
    await submit(page).click();
    await expect(dialog(page).getByRole('alert')).toContainText('この名前はすでに使われています');

    // The name of one of the member's streams, in another case or width.
    await name(page).fill('ﾃﾞｻﾞｲﾝ室');
    await submit(page).click();
    await expect(dialog(page).getByRole('alert')).toContainText('この名前のストリームにはすでに参加しています');
    await expect(name(page)).toHaveValue('ﾃﾞｻﾞｲﾝ室');
    await expect(chips(page)).toHaveText(['佐藤 美咲']);
    await checkScreen(page, '35 create group, the name taken');
    await dialog(page).getByRole('button', { name: 'そのストリームを開く' }).click();
    await expect(dialog(page)).toBeHidden();
    await expect(header(page)).toHaveText('デザイン室');
    const sato = await signIn(browser, product, 'sato@engawa.example');
    await rail(sato, 'ストリーム').click();
    await expect(streamRow(sato, 'デザイン室')).toHaveCount(0);
  });

  const failures = Object.entries({
    'the connection cut': { text: 'サーバーにつながりませんでした' },
    'a refusal': {
      status: 400,
      json: { result: 'error', code: 'BAD_REQUEST', msg: 'Nope' },
      text: '受け付けませんでした（Nope）',
    },
    'a rate limit': {
      status: 429,
      json: { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'slow', 'retry-after': 3 },
      text: '混み合っています',
    },
    'a broken server': { status: 500, json: { result: 'error', code: 'INTERNAL', msg: 'x' }, text: 'サーバーで問題が起きました' },
    'a page that is not there': { status: 404, body: '<h1>404</h1>', text: 'サーバーの返事を読めませんでした' },
    'a page of somebody else': { status: 200, body: '<h1>Hotel</h1>', text: 'サーバーの返事を読めませんでした' },
  });

  test('[R2.7.2, R8.4] The group dialog reports each kind of failure, keeps its input, and creates the group at the next try', async ({
    page,
  }) => {
    for (const [what, { text, ...answer }] of failures) {
      await test.step(what, async () => {
        await page.route('**/api/v1/users/me/subscriptions', (route) => {
          if (route.request().method() !== 'POST') return route.fallback();
          return 'status' in answer ? route.fulfill(answer) : route.abort();
        });
        await name(page).fill(`${what} の会`);
        await members(page).fill('さとう');
        await page.keyboard.press('Enter');
        await expect(chips(page)).toHaveText(['佐藤 美咲']);
        await submit(page).click();
        await expect(dialog(page).getByRole('alert')).toContainText(text);
        await expect(name(page)).toHaveValue(`${what} の会`);
        await expect(chips(page)).toHaveText(['佐藤 美咲']);
        await page.unroute('**/api/v1/users/me/subscriptions');
        await submit(page).click();
        await expect(dialog(page)).toBeHidden();
        await expect(header(page)).toHaveText(`${what} の会`);
        await openDialog(page);
      });
    }
  });

  test('[R2.7.2] In the group dialog, Enter chooses the member whose name was typed, even before the list has been filtered', async ({
    page,
  }) => {
    await expect(option(page, '佐藤 美咲')).toBeAttached();
    await typeAndEnterAtOnce(members(page), 'さとう み');
    await expect(chips(page)).toHaveText(['佐藤 美咲']);
    await typeAndEnterAtOnce(members(page), 'すずき け');
    await expect(chips(page)).toHaveText([/佐藤 美咲/, /鈴木 健太/]);
  });

  test('[R2.7.2] In the group dialog, Enter pressed before the readings are loaded chooses the member once they are', async ({
    browser,
    product,
  }) => {
    const page = await signedInPage(browser, product, 'tanaka@engawa.example');
    const readings = await hold(page, '**/api/people?*');
    await page.goto('/');
    await openDialog(page);
    await members(page).fill('さとう みさき');
    await page.keyboard.press('Enter');
    await expect(chips(page)).toHaveCount(0);
    readings();
    await expect(chips(page)).toHaveText(['佐藤 美咲']);
  });

  test('[R2.7.2] The group dialog keeps its input when it is closed and opened again', async ({ page }) => {
    await name(page).fill('書きかけの会');
    await members(page).fill('さとう');
    await page.keyboard.press('Enter');
    await expect(chips(page)).toHaveText(['佐藤 美咲']);
    await page.mouse.click(10, 10);
    await expect(dialog(page)).toBeVisible();
    await members(page).press('Escape');
    await expect(members(page)).toHaveValue('');
    await expect(dialog(page)).toBeVisible();
    await members(page).press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(create(page)).toBeFocused();
    await create(page).click();
    await expect(name(page)).toHaveValue('書きかけの会');
    await expect(chips(page)).toHaveText(['佐藤 美咲']);
  });
});

test.describe('Choosing members', () => {
  test('[R2.7.2] A member creates a group by keyboard alone: searches, chooses and removes members, and submits', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await rail(page, 'ストリーム').click();
    await create(page).focus();
    await page.keyboard.press('Enter');
    await expect(name(page)).toBeFocused();
    await page.keyboard.type('鍵盤の会');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByLabel('説明（任意）')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(members(page)).toBeFocused();

    // Readings and departments load after the names.
    await expect(option(page, '佐藤 美咲')).toContainText('さとう みさき');
    await expect(option(page, '株式会社 縁側 全員')).toBeAttached();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => reached(page)).toContain('株式会社 縁側 全員');
    await page.keyboard.press('ArrowUp');
    const last = await dialog(page).getByRole('option').last().textContent();
    await expect.poll(() => reached(page)).toBe(last);
    await page.keyboard.type('ヤマモト');
    await expect.poll(() => reached(page)).toContain('山本 葵');
    await page.keyboard.press('Enter');
    await expect(option(page, '山本 葵')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.type('基盤技術部');
    await expect.poll(() => reached(page)).toContain('基盤技術部 全員');
    await page.keyboard.press('Enter');
    const all = await chips(page).count();
    expect(all).toBeGreaterThan(3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    await expect(chips(page)).toHaveCount(all - 1);
    await expect(option(page, '基盤技術部 全員')).toHaveAttribute('aria-selected', 'false');

    await chips(page).first().focus();
    await page.keyboard.press('ArrowRight');
    await expect(chips(page).nth(1)).toBeFocused();
    await page.keyboard.press('Delete');
    await expect(chips(page)).toHaveCount(all - 2);
    await expect(chips(page).nth(1)).toBeFocused();
    await page.keyboard.press('End');
    for (let left = all - 2; left > 1; left -= 1) await page.keyboard.press('Backspace');
    await expect(chips(page)).toHaveText(['山本 葵']);
    await expect(chips(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(chips(page)).toHaveCount(0);
    await expect(members(page)).toBeFocused();
    await page.keyboard.type('やまもと');
    await page.keyboard.press('Enter');
    await submit(page).press('Enter');
    await expect(dialog(page)).toBeHidden();
    await expect(header(page)).toHaveText('鍵盤の会');
    await expect(field(page)).toBeFocused();
  });

  test('[R2.7.2] The member picker lists all other members by department, with the readings of their names', async ({ page }) => {
    await expect(option(page, '佐藤 美咲')).toContainText('さとう みさき');
    await expect(dialog(page).getByRole('option', { name: '田中 翔' })).toHaveCount(0);
    const group = dialog(page).getByRole('group', { name: 'プロダクト開発部' });
    await expect(group.getByRole('option').first()).toContainText('プロダクト開発部 全員8 人：');
    await expect(group.getByRole('option').nth(1)).toContainText('小川 悠斗');
    await checkScreen(page, '30 create group');
    await group.getByRole('option').first().click();
    await checkScreen(page, '32 create group, a whole department');
    await members(page).fill('だれもいない');
    await expect(dialog(page).getByText('見つかりませんでした')).toBeVisible();
    await expect(dialog(page).getByRole('option')).toHaveCount(0);
    await checkScreen(page, '36 create group, nobody found');
  });

  test('[R2.7.2, R4.8.1] In the group dialog, the Enter that confirms a kana conversion neither chooses a member nor creates the group', async ({
    page,
  }) => {
    const ime = await inputMethod(page);
    await ime.compose('どくしょかい');
    await ime.keyDown('Enter');
    await ime.commit('読書会');
    await expect(name(page)).toBeFocused();
    await expect(name(page)).toHaveValue('読書会');
    await members(page).focus();
    await ime.compose('さとう');
    await ime.keyDown('Enter');
    await expect(chips(page)).toHaveCount(0);
    await ime.keyDown('Escape');
    await expect(dialog(page)).toBeVisible();
    await ime.commit('佐藤');
    await expect.poll(() => reached(page)).toContain('佐藤 美咲');
    await page.keyboard.press('Enter');
    await expect(chips(page)).toHaveText(['佐藤 美咲']);
  });
});
