import { expect, signIn, test } from './product.ts';
import {
  department,
  emojiButton,
  field,
  fileInput,
  header,
  message,
  messages,
  picker,
  rail,
  sendButton,
  streamRow,
  tree,
} from './screen.ts';

test.describe('the organisation tab', () => {
  test('[R2.4] shows every department, all expanded', async ({ page, product }) => {
    await page.goto(product.url);
    await expect(tree(page).getByRole('treeitem')).toHaveCount(20);
    await expect(department(page, '開発本部')).toHaveAttribute('aria-expanded', 'true');
    await expect(department(page, 'プロダクト開発部')).toHaveAttribute('aria-level', '3');
  });

  test('[R2.5, R4.2] a department opens its stream, or says that it may not', async ({ page, product }) => {
    await page.goto(product.url);
    await department(page, 'デザイン室').click();
    await expect(header(page)).toContainText('デザイン室');
    await expect(messages(page).first()).toBeVisible();
    await department(page, '経理部').click();
    await expect(page.getByRole('alert')).toHaveText('アクセス権限がありません。');
    await expect(header(page)).toContainText('デザイン室');
  });

  test('[R2.4] works by keyboard alone', async ({ page, product }) => {
    await page.goto(product.url);
    await department(page, '株式会社 縁側').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    for (let i = 0; i < 30; i += 1) {
      if ((await page.evaluate(() => document.activeElement?.textContent))?.startsWith('デザイン室')) break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(header(page)).toContainText('デザイン室');
  });
});

test.describe('the stream tab', () => {
  test('[R2.6] a row has name, unread count in red brackets, preview and time', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await rail(page, 'ストリーム').click();
    const row = streamRow(page, '全社アナウンス');
    await expect(row).toContainText('[3]');
    await expect(row).toContainText(/\d{2}:\d{2}/);
    await expect(row).toContainText(/林|髙橋|: /);
    const color = await row.getByText('[3]', { exact: true }).evaluate((count) => getComputedStyle(count).color);
    expect(color).toBe('rgb(185, 48, 42)');
  });

  test('[R4.6, R4.5] opening an unread stream reads it; the divider stays; a reload remembers', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await rail(page, 'ストリーム').click();
    await streamRow(page, '開発本部').click();
    await expect(page.getByRole('separator', { name: '新着メッセージ' })).toBeVisible();
    await expect(streamRow(page, '開発本部')).not.toContainText('[');
    await expect(page.getByRole('separator', { name: '新着メッセージ' })).toBeVisible();
    await page.reload();
    await rail(page, 'ストリーム').click();
    await expect(streamRow(page, '開発本部')).toBeVisible();
    await expect(streamRow(page, '開発本部')).not.toContainText('[');
  });
});

test.describe('the chat pane', () => {
  test('[R2.8, R2.14, R2.15, R2.16] shows who, what and when, files and what was deleted', async ({ page, product }) => {
    await page.goto(product.url);
    await expect(header(page)).toContainText('プロダクト開発部');
    await expect(page.getByRole('banner').or(page.locator('header')).getByText(/^\(\d+\)$/)).toBeVisible();
    const deleted = message(page, '削除した');
    await expect(deleted.first()).toBeVisible();
    await expect(deleted.first()).toContainText('山本 葵');
    await expect(deleted.first().locator('time')).toHaveText(/^\d{2}:\d{2}$/);
    const card = message(page, 'リリース手順書_v2.4.xlsx');
    await card.scrollIntoViewIfNeeded();
    await expect(card).toContainText(/\d+\.\d [BKM]/);
    const own = message(page, '速いですね。');
    await expect(own).toHaveAttribute('data-align', 'right');
  });

  test('[R9.2] older messages load on scrolling up, to the very first', async ({ page, product }) => {
    await page.goto(product.url);
    await expect(messages(page).last()).toBeVisible();
    const log = page.getByRole('log');
    for (let i = 0; i < 60; i += 1) {
      if (await page.getByText(/にはじまりました$/).isVisible()) break;
      await log.hover();
      await page.mouse.wheel(0, -4000);
      await page.waitForTimeout(100);
    }
    await expect(page.getByText(/にはじまりました$/)).toBeVisible();
  });
});

test.describe('the composer', () => {
  test('[R2.12, R2.18, R4.7.1] the send button looks disabled until there is something to send', async ({ page, product }) => {
    await page.goto(product.url);
    await expect(sendButton(page)).toHaveAttribute('aria-disabled', 'true');
    await field(page).fill('　 \n');
    await expect(sendButton(page)).toHaveAttribute('aria-disabled', 'true');
    const sends: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && sends.push(request.url())));
    await field(page).press('Enter');
    await sendButton(page).click({ force: true });
    await field(page).fill('あ');
    await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
    expect(sends.filter((url) => url.endsWith('/messages'))).toEqual([]);
  });

  test('[R2.13] a chosen file takes the place of the text, which comes back when it is removed', async ({ page, product }) => {
    await page.goto(product.url);
    await field(page).fill('書きかけ');
    await fileInput(page).setInputFiles({ name: '図.png', mimeType: 'image/png', buffer: Buffer.from('x') });
    await expect(field(page)).toBeHidden();
    await expect(page.getByText('図.png', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: '図.png を外す' }).click();
    await expect(field(page)).toHaveValue('書きかけ');
  });

  test('[R4.7.1] a text that the server would cut is not sent, and says why', async ({ page, product }) => {
    await page.goto(product.url);
    await field(page).fill('あ'.repeat(10_001));
    await expect(page.getByRole('alert')).toContainText('長すぎて送れません（10,001 / 10,000 文字）');
    await field(page).press('Enter');
    await expect(field(page)).toHaveValue('あ'.repeat(10_001));
    await field(page).fill('😀'.repeat(10_000));
    await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  });

  test('[R4.7.2] Escape clears, and what was cleared can be brought back', async ({ page, product }) => {
    await page.goto(product.url);
    await field(page).fill('長い文章を書いた');
    await field(page).press('Escape');
    await expect(field(page)).toHaveValue('');
    await page.getByRole('button', { name: '元に戻す' }).click();
    await expect(field(page)).toHaveValue('長い文章を書いた');
  });

  test('[R4.8.1] the Enter that confirms a conversion never sends', async ({ page, product }) => {
    await page.goto(product.url);
    await field(page).focus();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.imeSetComposition', { text: 'にほんご', selectionStart: 4, selectionEnd: 4 });
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 });
    await expect(field(page)).toHaveValue('にほんご');
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 229 });
    await expect(field(page)).toHaveValue('にほんご');
    await cdp.send('Input.insertText', { text: '日本語' });
    await expect(field(page)).toHaveValue('日本語');
    await expect(message(page, 'にほんご').or(message(page, '日本語'))).toHaveCount(0);
    await field(page).press('Enter');
    await expect(field(page)).toHaveValue('');
    await expect(message(page, '日本語').last()).toBeVisible();
  });

  test('[R2.22.1, R2.22.2] the emoji picker opens at the click, filters, inserts at the caret, closes on Escape', async ({
    page,
    product,
  }) => {
    await page.goto(product.url);
    await field(page).fill('前後');
    await field(page).press('ArrowLeft');
    await emojiButton(page).click();
    await expect(picker(page)).toBeVisible();
    expect((await picker(page).boundingBox())?.height).toBe(320);
    await picker(page).getByRole('searchbox').fill('いいね');
    await picker(page).getByText('👍', { exact: true }).first().click();
    await expect(field(page)).toHaveValue('前👍後');
    await emojiButton(page).click();
    await expect(picker(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(picker(page)).toBeHidden();
    await expect(field(page)).toHaveValue('前👍後');
    await emojiButton(page).click();
    await page.getByRole('log').click({ position: { x: 5, y: 5 } });
    await expect(picker(page)).toBeHidden();
  });
});

test('[R4.11] the theme is light, dark by the toggle, and remembered', async ({ page, product }) => {
  await page.goto(product.url);
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: '暗いテーマにする' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('[R2.21, R4.1] a narrow window shows one pane, and nothing counts as read behind the list', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'ito@engawa.example');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await expect(tree(page)).toBeVisible();
  await expect(field(page)).toBeHidden();
  await department(page, 'デザイン室').click();
  await expect(field(page)).toBeVisible();
  await expect(tree(page)).toBeHidden();
  await page.getByRole('button', { name: '一覧に戻る' }).click();
  await expect(tree(page)).toBeVisible();
});
