import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { violations } from './axe.ts';
import { overflowing } from './overflow.ts';
import { painted, resize } from './screen.ts';
import type { Screen } from './screens.ts';

const desktop = { width: 1440, height: 900 };
const sizes = { desktop, phone: { width: 390, height: 844 } };
/** A tablet, a phone in landscape, and windows zoomed to 200 % and 400 %. */
const otherSizes = [
  { width: 900, height: 700 },
  { width: 844, height: 390 },
  { width: 720, height: 450 },
  { width: 320, height: 256 },
];
const themes = { light: 'all', dark: 'colours' } as const;
const languages = ['ja', 'en'] as const;

/** The folder for screenshots. Without it, no screenshots are taken. */
const pictures = process.env['SCREENSHOTS'];

/**
 * Checks that the page is accessible, wide and narrow, in both themes, and that nothing is cut off at any size. Leaves the
 * page wide and light. The clock of the page must run.
 */
export async function checkScreen(page: Page, screen: Screen): Promise<void> {
  test.info().annotations.push({ type: 'screen', description: screen });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [size, viewport] of Object.entries(sizes)) {
    await resize(page, viewport);
    await painted(page);
    for (const [theme, rules] of Object.entries(themes)) {
      await setTheme(page, theme);
      expect.soft(await violations(page, rules), `${screen}, ${size}, ${theme}`).toEqual([]);
      if (pictures) await takePictures(page, join(pictures, `${screen.replaceAll(/[ ,]+/g, '-')}.${size}`), theme);
    }
  }
  await setTheme(page, 'light');
  for (const size of otherSizes) {
    expect.soft(await overflowing(page, size), `${screen}, ${size.width} × ${size.height}`).toEqual([]);
  }
  await resize(page, desktop);
  await page.emulateMedia({ reducedMotion: null });
}

async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((chosen) => document.documentElement.setAttribute('data-theme', chosen), theme);
  await atRest(page);
}

async function takePictures(page: Page, path: string, theme: string): Promise<void> {
  const shown = await page.evaluate(() => document.documentElement.lang);
  for (const language of languages) {
    await setLanguage(page, language);
    await page.screenshot({ path: `${path}.${language}.${theme}.png` });
  }
  await setLanguage(page, shown);
}

/** Calls `choose` of `LocaleProvider`, found in React's tree: most screens have no control for it, and a reload loses their state. */
async function setLanguage(page: Page, language: string): Promise<void> {
  await page.evaluate(`(async () => {
    const root = document.getElementById('root');
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer'));
    let fiber = root[key].stateNode.current;
    while (typeof fiber.memoizedProps?.value?.choose !== 'function') fiber = fiber.child;
    await fiber.memoizedProps.value.choose('${language}');
  })()`);
  await painted(page);
  await atRest(page);
}

/** Waits for fonts, pictures and animations. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined)));
  });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
}
