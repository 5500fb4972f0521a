// Draws the icons that installing asks for (packages/web/public/icons) from the sign of the page. They are kept in the
// repository, because to draw them takes a browser; to be run again when the sign is another.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findOrGetBrowser } from './browser.mjs';
import { root } from './fingerprint.mjs';

const folder = join(root, 'packages/web/public');
const sign = await readFile(join(folder, 'favicon.svg'), 'utf8');
/** A system that cuts its icons itself gets the ground to the edge, and the sign within the circle that is always left. */
const filled = sign.replace(' rx="8"', '');
const masked = filled
  .replace('viewBox="0 0 32 32"', 'viewBox="-2 -2 36 36"')
  .replace('width="32" height="32"', 'x="-2" y="-2" width="36" height="36"');

const icons = [
  { name: 'icon-192', size: 192, svg: sign },
  { name: 'icon-512', size: 512, svg: sign },
  { name: 'maskable-192', size: 192, svg: masked },
  { name: 'maskable-512', size: 512, svg: masked },
  { name: 'apple-touch-icon', size: 180, svg: filled },
];

const browser = await chromium.launch({ executablePath: findOrGetBrowser(), args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const { name, size, svg } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`);
  await page.screenshot({ path: join(folder, 'icons', `${name}.png`), omitBackground: true });
}
await browser.close();
