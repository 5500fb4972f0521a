import { readFile } from 'node:fs/promises';
import { expect, signIn, test } from './product.ts';
import { department, field, fileInput, message, messages, rail, sendButton, streamRow, write } from './screen.ts';

test('[R4.4, R4.5] Two members see each other’s messages at once, without a polling delay', async ({ browser, product }) => {
  const sato = await signIn(browser, product, 'sato@engawa.example');
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  for (const page of [sato, suzuki]) {
    await department(page, 'プロダクト開発部').click();
    await expect(field(page)).toBeVisible();
  }
  // No timer of Suzuki's page fires from here on, so nothing can depend on a delay.
  await suzuki.clock.install();
  await suzuki.clock.pauseAt(new Date(Date.now() + 5000));
  await write(sato, 'おはようございます。ひとつめです。');
  await expect(message(suzuki, 'ひとつめです。')).toBeVisible();
  await write(sato, 'ふたつめです😀');
  await expect(message(suzuki, 'ふたつめです😀')).toBeVisible();
  await suzuki.clock.resume();

  await write(suzuki, 'はい、二つとも拝見しました。');
  const reply = message(sato, 'はい、二つとも拝見しました。');
  await expect(reply).toBeVisible();
  await expect(reply).toContainText('鈴木');
  await expect(reply).toHaveAttribute('data-align', 'left');
  await expect(message(suzuki, 'はい、二つとも拝見しました。')).toHaveAttribute('data-align', 'right');
});

test('[R1.2, R2.16, R2.17, R3.3.1] A member downloads a file whose name contains a comma, with the same name and content', async ({
  browser,
  product,
}) => {
  const sato = await signIn(browser, product, 'sato@engawa.example');
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await department(sato, 'プロダクト開発部').click();
  await department(suzuki, 'プロダクト開発部').click();
  const content = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 31) % 256));

  await field(suzuki).fill('見積を送ります');
  await fileInput(suzuki).setInputFiles({ name: '見積,最終.xlsx', mimeType: 'application/octet-stream', buffer: content });
  await sendButton(suzuki).click();

  const card = message(sato, '見積,最終.xlsx');
  await expect(card).toBeVisible();
  await expect(card).toContainText('97.7 K');
  const download = sato.waitForEvent('download');
  await card.getByRole('link', { name: /ダウンロード/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('見積,最終.xlsx');
  expect(Buffer.compare(await readFile(await file.path()), content)).toBe(0);
  // The draft was sent as a message before the file.
  const texts = await messages(sato).allTextContents();
  expect(texts.findIndex((text) => text.includes('見積を送ります'))).toBe(
    texts.findIndex((text) => text.includes('見積,最終.xlsx')) - 1,
  );
});

test('[R3.3.2] A member outside the stream cannot download a file of the stream by its address', async ({ browser, product }) => {
  const sato = await signIn(browser, product, 'sato@engawa.example');
  await department(sato, 'プロダクト開発部').click();
  await fileInput(sato).setInputFiles({ name: '秘密.txt', mimeType: 'text/plain', buffer: Buffer.from('himitsu') });
  await sendButton(sato).click();
  const link = message(sato, '秘密.txt').getByRole('link');
  await expect(link).toBeVisible();
  const address = (await link.getAttribute('href')) ?? '';
  expect((await sato.request.get(address)).status()).toBe(200);
  const outsider = await signIn(browser, product, 'kimura@engawa.example');
  expect((await outsider.request.get(address)).status()).toBe(404);
});

test('[R4.5, R4.6] The unread count of a stream that is not open rises with each message, and disappears when the stream is read', async ({
  browser,
  product,
}) => {
  const kato = await signIn(browser, product, 'kato@engawa.example');
  const ito = await signIn(browser, product, 'ito@engawa.example');
  await rail(ito, 'ストリーム').click();
  await streamRow(ito, 'デザイン室').click();
  await expect(streamRow(ito, 'デザイン室')).not.toContainText('[');
  await streamRow(ito, '雑談・縁側').click();
  await department(kato, 'デザイン室').click();
  await write(kato, '配色の案を置きました');
  await expect(streamRow(ito, 'デザイン室')).toContainText('[1]');
  await expect(streamRow(ito, 'デザイン室')).toContainText('配色の案を置きました');
  await streamRow(ito, 'デザイン室').click();
  await expect(streamRow(ito, 'デザイン室')).not.toContainText('[');
});

test('[R4.4] The eighth open tab of a browser still sends and receives messages', async ({ browser, product }) => {
  const sato = await signIn(browser, product, 'sato@engawa.example');
  const first = await signIn(browser, product, 'watanabe.ryo@engawa.example');
  const tabs = [first];
  for (let i = 1; i < 8; i += 1) {
    const tab = await first.context().newPage();
    await tab.goto('/');
    await expect(tab.getByRole('log')).toBeVisible();
    tabs.push(tab);
  }
  const eighth = tabs[7];
  if (!eighth) throw new Error('the eighth tab is missing');
  for (const page of [sato, eighth]) await department(page, 'プロダクト開発部').click();
  await write(eighth, '八つ目のタブから');
  await expect(message(sato, '八つ目のタブから')).toBeVisible();
  await expect(message(eighth, '八つ目のタブから')).toHaveCount(1);
  await write(sato, '八つ目のタブへ');
  await expect(message(eighth, '八つ目のタブへ')).toHaveCount(1);
  // Another tab takes over polling.
  await first.close();
  await write(sato, 'まだ届きますか');
  await expect(message(eighth, 'まだ届きますか')).toHaveCount(1);
});
