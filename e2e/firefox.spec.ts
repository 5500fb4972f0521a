import { writeFileSync } from 'node:fs';
import type { Page } from 'puppeteer-core';
import { button, openFirefox, text } from './firefox.ts';
import { expect, signIn, test as base } from './product.ts';
import { department, field, message, write } from './screen.ts';

// Slow, because it starts a second browser on a busy machine.
base.setTimeout(120_000);

const test = base.extend<{ firefox: Page }>({
  firefox: async ({ product }, run, testInfo) => {
    const firefox = await openFirefox(testInfo);
    const page = await firefox.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${product.url}/logout`);
    await run(page);
    await firefox.close();
  },
});

test('[R1.2, R2.5, R4.7.1, R4.7.2, R4.11] A member signs in, sends text and files, and changes the theme in Firefox', async ({
  browser,
  product,
  firefox,
}, testInfo) => {
  const errors: unknown[] = [];
  firefox.on('pageerror', (error) => errors.push(error));
  const sato = await signIn(browser, product, 'sato@engawa.example');
  await department(sato, 'プロダクト開発部').click();

  await firefox.locator('input[type=search]').fill('すずき');
  await firefox.locator(text('鈴木 健太')).click();
  await firefox.locator('[role=treeitem]').wait();
  await firefox.locator('input[type=search]').fill('プロダクト');
  await firefox.locator(`[role=tree] ${text('プロダクト開発部')}`).click();
  await firefox.locator(`h2${text('プロダクト開発部')}`).wait();

  await firefox.locator('textarea').click();
  await firefox.keyboard.type('Firefox から *こんにちは*');
  await firefox.keyboard.press('Escape');
  expect(await firefox.$eval('textarea', ({ value }) => value)).toBe('');
  await firefox.keyboard.down('Control');
  await firefox.keyboard.press('z');
  await firefox.keyboard.up('Control');
  await firefox.keyboard.press('Enter');
  await expect(message(sato, 'Firefox から こんにちは').locator('time')).toBeVisible();
  await write(sato, 'Chromium から返事');
  await firefox.locator(`article ${text('Chromium から返事')}`).wait();

  await firefox.locator(button('絵文字')).click();
  await firefox.locator('dialog input[type=search]').fill('いいね');
  await firefox.locator(`dialog fieldset ${text('👍')}`).click();
  await firefox.keyboard.press('Enter');
  await expect(message(sato, '👍').last()).toBeVisible();
  const file = testInfo.outputPath('議事録,最終.txt');
  writeFileSync(file, '内容');
  const input = await firefox.$('input[type=file]');
  await input?.uploadFile(file);
  await firefox.locator(button('送信')).click();
  await expect(message(sato, '議事録,最終.txt').getByRole('link').first()).toBeVisible();

  await firefox.locator(button('暗いテーマにする')).click();
  await firefox.locator('textarea').fill('書きかけ');
  await firefox.reload();
  await firefox.locator(`article ${text('議事録,最終.txt')}`).wait();
  await firefox.locator('textarea').wait();
  expect(await firefox.$eval('textarea', ({ value }) => value)).toBe('書きかけ');
  expect(await firefox.$eval('html', ({ dataset }) => dataset['theme'])).toBe('dark');
  expect(errors).toEqual([]);
  await expect(field(sato)).toHaveValue('');
});
