/** What Zulip does not store, in a browser: the product is in front of a server that has none of it. */
import type { Browser, Page } from '@playwright/test';
import { expect, type Product, signIn, test } from './product.ts';
import { emojiButton, field, message, messages, picker, rail, sendButton, streamRow, write } from './screen.ts';

const stream = '新卒研修 2026';

async function open(browser: Browser, product: Product, name: string): Promise<Page> {
  const page = await signIn(browser, product, { email: `${name}@engawa.example`, password: 'demo' });
  await rail(page, 'ストリーム').click();
  return page;
}

/** Expects what the first test keeps, on a device that shows the streams. */
async function expectKept(device: Page): Promise<void> {
  await expect(device.getByRole('button', { name: /^アーカイブ済み/ })).toBeVisible();
  await expect(streamRow(device, '雑談・縁側')).toHaveCount(0);
  await expect(streamRow(device, stream)).toContainText('下書き');
  await streamRow(device, stream).click();
  await expect(field(device)).toHaveValue('書きかけの一言');
  await emojiButton(device).click();
  await expect(picker(device).getByRole('group', { name: 'よく使う項目' }).getByRole('button').first()).toHaveText('🍣');
  await device.keyboard.press('Escape');
  await rail(device, '設定').click();
  await expect(device.getByRole('radio', { name: 'コンパクト' })).toBeChecked();
}

test('[R7.8] Archive, draft, density and frequent emoji of a member are on all their devices, and outlive a restart, in front of a Zulip', async ({
  browser,
  ofZulip,
}) => {
  const page = await open(browser, ofZulip, 'tanaka');
  const other = await open(browser, ofZulip, 'tanaka');
  await streamRow(page, stream).click();
  await field(page).fill('書きかけの一言');
  await expect(streamRow(page, stream)).toContainText('下書き');
  await streamRow(page, '雑談・縁側').click();
  for (let times = 0; times < 2; times += 1) {
    await emojiButton(page).click();
    await picker(page).getByRole('searchbox').fill('寿司');
    await picker(page).getByRole('searchbox').press('Enter');
    await expect(picker(page)).toBeHidden();
  }
  await field(page).fill('');
  await page.getByRole('button', { name: 'その他の操作' }).click();
  await page.getByRole('menuitem', { name: 'アーカイブ' }).click();
  await expect(page.getByRole('button', { name: /^アーカイブ済み/ })).toBeVisible();
  await rail(page, '設定').click();
  await page.getByRole('radio', { name: 'コンパクト' }).check();
  // The other device proves that the server has stored all of it.
  await expectKept(other);
  await expect
    .poll(async () => (await (await page.request.get('/api/v1/drafts')).json()).drafts)
    .toMatchObject([{ content: '書きかけの一言', revision: 0 }]);

  await ofZulip.kill();
  await ofZulip.start();
  await expectKept(await open(browser, ofZulip, 'tanaka'));
});

test('[R7.8] A deleted message keeps its place after a reload in front of a Zulip', async ({ browser, ofZulip }) => {
  const writer = await open(browser, ofZulip, 'nakamura');
  await streamRow(writer, stream).click();
  for (const text of ['前の一言', '消す一言', '後の一言']) {
    await write(writer, text);
    await expect(message(writer, text)).toBeVisible();
  }
  await expect(sendButton(writer)).toHaveAttribute('aria-disabled', 'true');
  const row = message(writer, '消す一言');
  await row.hover();
  await row.getByRole('button', { name: 'その他' }).click();
  await writer.getByRole('menuitem', { name: '削除', exact: true }).click();
  const question = writer.getByRole('dialog', { name: 'メッセージを削除' });
  await question.getByRole('button', { name: '削除', exact: true }).click();
  await expect(messages(writer).nth(-2)).toContainText('削除した');

  const reader = await open(browser, ofZulip, 'tanaka');
  await streamRow(reader, stream).click();
  await expect(messages(reader).last()).toContainText('後の一言');
  await expect(messages(reader).nth(-2)).toContainText('削除した');
  await expect(messages(reader).nth(-3)).toContainText('前の一言');
  await writer.reload();
  await expect(messages(writer).nth(-2)).toContainText('削除した');
});
