/** Three members in one stream, two at desks and one on a telephone: what one does, all of them see in the end. */
import { expect, type Page } from '@playwright/test';
import { authorOf, open } from './history.ts';
import { signedInPage, signIn, test } from './product.ts';
import { field, message, messages, picker, rail, sendButton, streamRow, write } from './screen.ts';

const [tanaka, sato, kato] = ['tanaka@engawa.example', 'sato@engawa.example', 'kato@engawa.example'];
const room = '三人の相談';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function choose(page: Page, text: string, name: string): Promise<void> {
  await message(page, text).hover();
  await page.getByRole('toolbar', { name: 'メッセージの操作' }).getByRole('button', { name: 'その他' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** The rows from the first to the last, without what only one of them sees: whose they are, and when they came. */
function told(page: Page): Promise<string[]> {
  return messages(page).evaluateAll((rows) =>
    rows.map((row) => {
      const parts = ['p:not(:first-child)', '[class*=bubble]', '[aria-label=リアクション]'];
      const said = parts.map((part) => row.querySelector(part)?.textContent ?? '');
      return [...new Set(said), row.textContent?.includes('(編集済み)')].join('|');
    }),
  );
}

test('[R2.15, R4.4, R4.5, R4.6, R4.9] two at desks and one on a telephone talk, search, correct, delete, mention, react and come back, and see the same', async ({
  browser,
  product,
  playwright,
}) => {
  const author = await authorOf(playwright.request, product, tanaka);
  await author.makeStream(room, [tanaka, sato, kato]);
  const streamId = await author.idOf(room);
  const desk = await signIn(browser, product, tanaka);
  const other = await signIn(browser, product, sato);
  const mobile = await signedInPage(browser, product, kato, phone);
  await mobile.goto(`/#/stream/${streamId}`);
  await expect(field(mobile)).toBeVisible();
  await write(desk, '別の場所の一言');
  await rail(desk, 'ストリーム').click();
  await streamRow(desk, room).click();
  await write(desk, '明日の会議は三時からです');
  await open(other, room);

  // They talk; the telephone's Enter is a new line.
  await write(other, '資料は私が用意します');
  await field(mobile).fill('電車の中です');
  await sendButton(mobile).tap();
  for (const page of [desk, other, mobile]) await expect(messages(page)).toHaveCount(3);

  // One corrects, one reacts, one deletes.
  await choose(desk, '明日の会議は三時からです', '編集');
  await desk.getByRole('textbox', { name: 'メッセージを編集' }).fill('明日の会議は四時からです');
  await desk.keyboard.press('Enter');
  await message(other, '明日の会議は四時からです').hover();
  await other.getByRole('toolbar', { name: 'メッセージの操作' }).getByRole('button', { name: 'リアクション' }).click();
  await picker(other).getByRole('searchbox').fill('いいね');
  await picker(other).getByRole('searchbox').press('Enter');
  await choose(other, '資料は私が用意します', '削除');
  await other.getByRole('dialog', { name: 'メッセージを削除' }).getByRole('button', { name: '削除', exact: true }).click();
  for (const page of [desk, other, mobile]) {
    await expect(message(page, '明日の会議は四時からです')).toContainText('(編集済み)');
    await expect(message(page, '明日の会議は四時からです').getByRole('list', { name: 'リアクション' })).toContainText('1');
    await expect(message(page, '削除した')).toHaveCount(1);
  }

  // What was deleted is found by nobody, what was corrected by its new words.
  await desk.keyboard.press('Control+k');
  const search = desk.getByRole('dialog').getByRole('combobox');
  await search.fill('用意します');
  await expect(desk.getByRole('dialog')).toContainText('見つかりません');
  await search.fill('四時');
  await expect(desk.getByRole('dialog').getByRole('option').filter({ hasText: '明日の会議は' })).toHaveCount(1);
  await desk.keyboard.press('Escape');

  // Meanwhile the telephone has no network, and its owner is called from elsewhere.
  await open(other, '雑談・縁側');
  await mobile.context().setOffline(true);
  await field(mobile).fill('電波のない所で書いた一言');
  await sendButton(mobile).tap();
  await write(desk, '@**加藤 陽菜** 着いたら教えてください');
  await expect(messages(desk)).toHaveCount(4);
  await expect(streamRow(other, room)).toContainText('[1]');
  await mobile.context().setOffline(false);
  for (const page of [desk, mobile]) await expect(message(page, '電波のない所で書いた一言').locator('time')).toBeVisible();
  await expect(message(mobile, '着いたら教えてください')).toHaveAttribute('data-called', 'mention');
  await expect(streamRow(other, room)).toContainText('[2]');

  // In the end all of them see the same, also after they have come anew, and nobody has anything left to read here.
  await open(other, room);
  await expect(messages(desk)).toHaveCount(5);
  expect((await told(desk)).join()).toMatch(/四時.*👍1.*true.*電波/s);
  for (const again of [false, true]) {
    for (const page of [desk, other, mobile]) {
      if (again) await page.reload();
      await expect(messages(page)).toHaveCount(5);
      await expect.poll(() => told(page)).toEqual(await told(desk));
    }
  }
  await mobile.getByRole('button', { name: '一覧に戻る' }).tap();
  await rail(mobile, 'ストリーム').tap();
  // Whose page was loaded anew has to move before anything counts as read.
  for (const page of [desk, other]) await page.getByRole('log').hover();
  for (const page of [desk, other, mobile]) await expect(streamRow(page, room)).not.toContainText('[');
});
