import type { Page } from '@playwright/test';
import { overflowing } from './overflow.ts';
import { expect, signIn, signedInContext, test, visitorPage } from './product.ts';
import { department, emojiButton, field, message, messages, picker, rail, sendButton, tree, write } from './screen.ts';

const desk = { width: 1440, height: 900 };

test('[R2.21] The composer stays visible with its text when a member zooms in while writing', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example');
  await field(page).fill('書きかけ');
  await page.setViewportSize({ width: 720, height: 450 });
  await expect(tree(page)).toBeHidden();
  await expect(field(page)).toBeInViewport();
  await expect(field(page)).toHaveValue('書きかけ');
  await page.goBack();
  await expect(tree(page)).toBeVisible();
  await expect(field(page)).toBeHidden();
});

test.describe('Small windows', () => {
  test('[R2.21] A member reads and writes at 400 % zoom', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    await page.setViewportSize({ width: 320, height: 256 });
    await department(page, '基盤技術部').click();
    await write(page, '四百パーセントから');
    await expect(message(page, '四百パーセントから')).toBeInViewport();
    await field(page).fill('書きかけ');
    await emojiButton(page).click();
    await expect(picker(page)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'その他の操作' }).click();
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: '削除' })).toBeInViewport({ ratio: 1 });
  });

  test('[R2.21] A long draft leaves room for the messages on a tablet, and on a phone with an open keyboard', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    await department(page, '基盤技術部').click();
    await field(page).fill('一行\n'.repeat(40));
    for (const [width, height] of [
      [1024, 768],
      [768, 1024],
      [844, 390],
      [390, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(sendButton(page)).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('button', { name: 'その他の操作' })).toBeInViewport({ ratio: 1 });
      await expect(messages(page).last()).toBeInViewport();
      const log = await page.getByRole('log').boundingBox();
      expect(log?.height, `${width} × ${height}`).toBeGreaterThan(height * 0.25);
    }
  });

  for (const viewport of [
    { width: 844, height: 390 },
    { width: 320, height: 256 },
  ]) {
    const size = `${viewport.width} × ${viewport.height}`;
    test(`[R1.5, R2.7.1] A member signs in and creates a group in a window of ${size}`, async ({ browser, product }) => {
      const page = await visitorPage(browser, product);
      await page.setViewportSize(viewport);
      await page.goto(`${product.url}/logout`);
      await expect(page.getByRole('button', { name: /青木/ })).toBeInViewport();
      await page.getByRole('searchbox').fill('よしだ');
      await page.getByRole('button', { name: /吉田/ }).click();
      await rail(page, 'ストリーム').click();
      await page.getByRole('button', { name: 'グループを作成' }).click();
      await page.getByLabel('グループ名').fill(`小さな窓の会 ${size}`);
      await page.getByRole('combobox').fill('やまもと');
      // A click fails if the option is covered or cut off.
      await page.getByRole('option', { name: /^山本/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: '作成' }).click();
      await expect(page.getByRole('heading', { level: 2, name: `小さな窓の会 ${size}` })).toBeVisible();
    });
  }

  test('[R2.21] Text at twice its size pushes no element out of the window', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    for (const tab of ['組織', 'ストリーム', '設定'] as const) {
      await rail(page, tab).click();
      expect(await overflowing(page, desk), tab).toEqual([]);
    }
    await field(page).fill('大きな文字');
    await expect(page.getByRole('button', { name: '送信', exact: true })).toBeInViewport({ ratio: 1 });
  });
});

async function closes(page: Page): Promise<void> {
  await expect(page.locator('dialog:focus, dialog :focus, [role=dialog] :focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('Opening menus and dialogs animates for at most 160 ms, and not at all for members who prefer reduced motion', async ({
  browser,
  product,
}) => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const page = await signIn(browser, product, 'yoshida@engawa.example', { reducedMotion });
    // Notes short animations when they begin.
    await page.evaluate(() => {
      for (const type of ['animationstart', 'transitionrun']) {
        document.addEventListener(type, () => {
          const own = document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration));
          const longest = Math.max(Number(document.body.dataset['longest'] ?? 0), ...own);
          document.body.dataset['longest'] = String(longest);
        });
      }
    });
    await department(page, '経理部').click();
    await page.getByRole('button', { name: 'その他の操作' }).click();
    await page.getByRole('menuitem').first().click();
    await closes(page);
    await rail(page, 'ストリーム').click();
    await page.getByRole('button', { name: 'グループを作成' }).click();
    await closes(page);
    await emojiButton(page).click();
    await closes(page);
    await rail(page, '設定').click();
    const longest = Number(await page.evaluate(() => document.body.dataset['longest'] ?? 0));
    if (reducedMotion === 'reduce') expect(longest).toBeLessThanOrEqual(1);
    else {
      expect(longest).toBeGreaterThan(50);
      expect(longest).toBeLessThanOrEqual(160);
    }
  }
});

for (const width of [1440, 390]) {
  test(`[R8.3] A browser that sends no user agent shows and sends messages in a window ${width} px wide`, async ({
    browser,
    product,
  }) => {
    const viewport = { width, height: 844 };
    const context = await signedInContext(browser, product, 'yoshida@engawa.example', { viewport });
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'userAgent', { get: () => '' });
    });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message: text }) => errors.push(text));
    await page.goto('/');
    expect(await page.evaluate(() => navigator.userAgent)).toBe('');
    await expect(tree(page)).toBeVisible();
    if (width < 900) await expect(field(page)).toBeHidden();
    await department(page, '基盤技術部').click();
    await write(page, `名乗らないブラウザーから ${width}`);
    await expect(message(page, `名乗らないブラウザーから ${width}`)).toBeVisible();
    await emojiButton(page).click();
    await expect(picker(page).getByRole('searchbox')).toBeFocused();
    await page.keyboard.press('Escape');
    expect(errors).toEqual([]);
  });
}
