import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/ja.ts';
import { cutOff } from './cutOff.ts';
import { expect, signedInContext, test } from './product.ts';
import { atRest, sample, states } from './states.ts';

// Keeping a film of every step takes longer than the steps.
test.use({ trace: 'off' });

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
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

// Two thousand emoji are all made alike: the first row of each category stands for the others.
const repeatedEmoji = 'fieldset > div:nth-of-type(n+2)';

async function violations(page: Page, rules: 'all' | 'colours'): Promise<readonly string[]> {
  // The pages hold no frames, so that no page of its own is needed to put together what was found.
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude(repeatedEmoji);
  if (rules === 'all') axe.withTags(levels);
  else axe.withRules('color-contrast');
  const found = await axe.analyze();
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** When the screens have heard of a new size of the window, and are drawn for it. */
async function painted(page: Page): Promise<void> {
  const frame = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  await frame();
  await frame();
}

async function dress(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => document.documentElement.setAttribute('data-theme', chosen), theme);
  // Colours are measured where they come to rest.
  await atRest(page);
}

const statesPerTest = 4;

for (let from = 0; from < states.length; from += statesPerTest) {
  const some = states.slice(from, from + statesPerTest);
  const names = some.map(({ name }) => name).join('; ');
  test(`[R2.21] accessible and not cut off at any size: ${names}`, async ({ browser, prepared }) => {
    for (const state of some) {
      await test.step(state.name, async () => {
        const context = await signedInContext(browser, prepared, sample.me, still);
        const page = await context.newPage();
        await state.reach({ page, words: ja, narrow: false });
        await atRest(page);
        expect.soft(await violations(page, 'all'), `${state.name}, desktop`).toEqual([]);
        await dress(page, 'dark');
        expect.soft(await violations(page, 'colours'), `${state.name}, desktop, dark`).toEqual([]);
        await page.setViewportSize(phone);
        await atRest(page);
        expect.soft(await violations(page, 'colours'), `${state.name}, phone, dark`).toEqual([]);
        await dress(page, 'light');
        expect.soft(await violations(page, 'all'), `${state.name}, phone`).toEqual([]);
        for (const size of otherSizes) {
          await page.setViewportSize(size);
          await painted(page);
          expect.soft(await cutOff(page), `${state.name}, ${size.width} × ${size.height}`).toEqual([]);
        }
        await context.close();
      });
    }
  });
}
