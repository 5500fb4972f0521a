import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './product.ts';
import { emojiButton, field, picker, rail } from './screen.ts';

// axe looks at each of some two thousand emoji, several times over.
test.setTimeout(180_000);

async function expectNoViolations(page: Page): Promise<void> {
  // Colours are measured where they come to rest.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([]);
}

for (const theme of ['light', 'dark'] as const) {
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    test(`every screen is accessible, ${theme}, ${size.width} px wide`, async ({ browser, product }) => {
      const page = await signIn(browser, product, 'yamamoto@engawa.example');
      await page.setViewportSize(size);
      if (theme === 'dark') await page.getByRole('button', { name: /暗いテーマ|テーマ/ }).first().click();
      await page.goto('/');
      await expect(page.getByRole('tree')).toBeVisible();
      await expectNoViolations(page);
      await rail(page, '設定').click();
      await expectNoViolations(page);
      await rail(page, 'ストリーム').click();
      await expectNoViolations(page);
      await page.getByRole('list', { name: 'ストリームの一覧' }).getByRole('link').first().click();
      await expect(field(page)).toBeVisible();
      await emojiButton(page).click();
      await expect(picker(page)).toBeVisible();
      await expectNoViolations(page);
    });
  }
}

test('the sign-in screen is accessible', async ({ page, product }) => {
  await page.goto(`${product.url}/logout`);
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expectNoViolations(page);
});
