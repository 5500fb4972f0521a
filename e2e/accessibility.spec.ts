import type { Page } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/ja.ts';
import { violations } from './axe.ts';
import { cutOff } from './cutOff.ts';
import { expect, type Product, signedInContext, signInAs, test } from './product.ts';
import { painted } from './screen.ts';
import { atRest, sample, states } from './states.ts';

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

/** What a state leaves behind is not met in the next. A page of its own for each would cost a fifth more. */
async function startAnew(page: Page, product: Product): Promise<void> {
  const context = page.context();
  await context.setOffline(false);
  await page.unrouteAll();
  await page.setViewportSize(desktop);
  // A page that does nothing more, of the same site: to another the browser would go with a new process.
  await page.goto('/theme.js');
  const devTools = await context.newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin: product.url, storageTypes: 'all' });
  await devTools.detach();
  await signInAs(context, product, sample.me);
}

const statesPerTest = 4;

for (let from = 0; from < states.length; from += statesPerTest) {
  const some = states.slice(from, from + statesPerTest);
  const names = some.map(({ name }) => name).join('; ');
  test(`[R2.21] accessible and not cut off at any size: ${names}`, async ({ browser, prepared }) => {
    const context = await signedInContext(browser, prepared, sample.me, still);
    const page = await context.newPage();
    for (const state of some) {
      await test.step(state.name, async () => {
        await startAnew(page, prepared);
        await state.reach({ page, words: ja, narrow: false });
        await atRest(page);
        expect.soft(await violations(page, 'all'), `${state.name}, desktop`).toEqual([]);
        await dress(page, 'dark');
        expect.soft(await violations(page, 'colours'), `${state.name}, desktop, dark`).toEqual([]);
        await page.setViewportSize(phone);
        await painted(page);
        await atRest(page);
        expect.soft(await violations(page, 'colours'), `${state.name}, phone, dark`).toEqual([]);
        await dress(page, 'light');
        expect.soft(await violations(page, 'all'), `${state.name}, phone`).toEqual([]);
        for (const size of otherSizes) {
          await page.setViewportSize(size);
          await painted(page);
          expect.soft(await cutOff(page), `${state.name}, ${size.width} × ${size.height}`).toEqual([]);
        }
      });
    }
  });
}
