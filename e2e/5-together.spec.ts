import { expect, type Page } from '@playwright/test';
import { authorOf } from './author.ts';
import { open } from './messageList.ts';
import { signedInPage, signIn, test } from './product.ts';
import { field, message, messages, picker, rail, sendButton, streamRow, write } from './screen.ts';

const [tanaka, sato, kato] = ['tanaka@engawa.example', 'sato@engawa.example', 'kato@engawa.example'];
const group = '三人の相談';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function choose(page: Page, text: string, name: string): Promise<void> {
  await message(page, text).hover();
  await page.getByRole('toolbar', { name: 'メッセージの操作' }).getByRole('button', { name: 'その他' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** The visible parts of each row that do not depend on the reader. */
function visibleParts(page: Page): Promise<string[]> {
  return messages(page).evaluateAll((rows) =>
    rows.map((row) => {
      const parts = ['p:not(:first-child)', '[class*=bubble]', '[aria-label=リアクション]'];
      const said = parts.map((part) => row.querySelector(part)?.textContent ?? '');
      return [...new Set(said), row.textContent?.includes('(編集済み)')].join('|');
    }),
  );
}

test('[R2.15, R4.4, R4.5, R4.6, R4.9] Three members talk, search, edit, delete, mention, react and reconnect, and all their screens show the same', async ({
  browser,
  product,
}) => {
  const author = await authorOf(product, tanaka);
  await author.createStream(group, [tanaka, sato, kato]);
  const streamId = await author.streamId(group);
  const desk = await signIn(browser, product, tanaka);
  const other = await signIn(browser, product, sato);
  const mobile = await signedInPage(browser, product, kato, phone);
  await mobile.goto(`/#/stream/${streamId}`);
  await expect(field(mobile)).toBeVisible();
  await open(desk, '全社アナウンス');
  await write(desk, '別の場所の一言');
  await rail(desk, 'ストリーム').click();
  await streamRow(desk, group).click();
  await write(desk, '明日の会議は三時からです');
  await open(other, group);

  await write(other, '資料は私が用意します');
  await field(mobile).fill('電車の中です');
  await sendButton(mobile).tap();
  for (const page of [desk, other, mobile]) await expect(messages(page)).toHaveCount(3);

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

  await desk.keyboard.press('Control+k');
  const search = desk.getByRole('dialog').getByRole('combobox');
  await search.fill('用意します');
  await expect(desk.getByRole('dialog')).toContainText('見つかりません');
  await search.fill('四時');
  await expect(desk.getByRole('dialog').getByRole('option').filter({ hasText: '明日の会議は' })).toHaveCount(1);
  await desk.keyboard.press('Escape');

  await open(other, '雑談・縁側');
  await mobile.context().setOffline(true);
  await field(mobile).fill('電波のない所で書いた一言');
  await sendButton(mobile).tap();
  await write(desk, '@**加藤 陽菜** 着いたら教えてください');
  await expect(messages(desk)).toHaveCount(4);
  await expect(streamRow(other, group)).toContainText('[1]');
  await mobile.context().setOffline(false);
  for (const page of [desk, mobile]) await expect(message(page, '電波のない所で書いた一言').locator('time')).toBeVisible();
  await expect(message(mobile, '着いたら教えてください')).toHaveAttribute('data-called', 'mention');
  await expect(streamRow(other, group)).toContainText('[2]');

  await open(other, group);
  await expect(messages(desk)).toHaveCount(5);
  expect((await visibleParts(desk)).join()).toMatch(/四時.*👍1.*true.*電波/s);
  for (const again of [false, true]) {
    for (const page of [desk, other, mobile]) {
      if (again) await page.reload();
      await expect(messages(page)).toHaveCount(5);
      await expect.poll(() => visibleParts(page)).toEqual(await visibleParts(desk));
    }
  }
  await mobile.getByRole('button', { name: '一覧に戻る' }).tap();
  await rail(mobile, 'ストリーム').tap();
  // A reloaded page marks nothing as read before its member is active.
  for (const page of [desk, other]) await page.getByRole('log').hover();
  for (const page of [desk, other, mobile]) await expect(streamRow(page, group)).not.toContainText('[');
});
