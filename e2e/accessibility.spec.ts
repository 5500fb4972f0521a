import type { Page } from '@playwright/test';
import { violations } from './axe.ts';
import { cutOff } from './cutOff.ts';
import { expect, signedInPage, test } from './product.ts';
import { painted } from './screen.ts';
import { atRest, sample, states } from './states.ts';
import { japanese } from './words.ts';

// The states do not disturb each other, and together they take longer than any other file.
test.describe.configure({ mode: 'parallel' });

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
// What comes and goes by itself is measured before or after, never on its way.
const still = { viewport: desktop, reducedMotion: 'reduce' } as const;

/** A tablet, a telephone on its side, and windows that are zoomed to 200 % and 400 %. */
const otherSizes = [
  { width: 900, height: 700 },
  { width: 844, height: 390 },
  { width: 720, height: 450 },
  { width: 320, height: 256 },
];

async function dress(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => document.documentElement.setAttribute('data-theme', chosen), theme);
  // Colours are measured where they come to rest.
  await atRest(page);
}

for (const state of states) {
  test(`[R2.21] accessible and not cut off at any size: ${state.name}`, async ({ browser, prepared }) => {
    const page = await signedInPage(browser, prepared, sample.me, still);
    await state.reach({ page, words: japanese, narrow: false });
    await atRest(page);
    expect.soft(await violations(page, 'all'), 'desktop').toEqual([]);
    await dress(page, 'dark');
    expect.soft(await violations(page, 'colours'), 'desktop, dark').toEqual([]);
    await page.setViewportSize(phone);
    await painted(page);
    await atRest(page);
    expect.soft(await violations(page, 'colours'), 'phone, dark').toEqual([]);
    await dress(page, 'light');
    expect.soft(await violations(page, 'all'), 'phone').toEqual([]);
    for (const size of otherSizes) {
      expect.soft(await cutOff(page, size), `${size.width} × ${size.height}`).toEqual([]);
    }
  });
}
