// Draws the icons of the installed product (packages/web/public/icons) from the favicon. They are in the repository,
// because drawing them takes a browser; run this again when the favicon changes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findOrInstallBrowser } from './browser.mjs';
import { root } from './fingerprint.mjs';

const folder = join(root, 'packages/web/public');
const sign = await readFile(join(folder, 'favicon.svg'), 'utf8');
/** Systems that mask icons need the background up to the edge and the sign inside the safe circle. */
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

const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const { name, size, svg } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`);
  await page.screenshot({ path: join(folder, 'icons', `${name}.png`), omitBackground: true });
}
await browser.close();
