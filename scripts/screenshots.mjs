// `npm run screenshots`: a picture of every screen and state, wide and narrow, light and dark, in each language, into
// screenshots/, with a page there that shows them all. Words in the command choose states by name: `-- emoji`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { startProduct } from '../e2e/server.ts';
import { atRest, prepare, sample, states } from '../e2e/states.ts';
import { english, japanese } from '../e2e/words.ts';
import { findOrGetBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { root } from './fingerprint.mjs';

const folder = join(root, 'screenshots');
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};
const languages = { ja: japanese, en: english };
const themes = ['light', 'dark'];
const atOnce = 2;

const sought = process.argv.slice(2);
const chosen = states.filter(({ name }) => sought.length === 0 || sought.some((word) => name.includes(word)));
const looks = Object.keys(sizes).flatMap((size) =>
  Object.keys(languages).flatMap((language) => themes.map((theme) => ({ size, language, theme }))),
);
const failed = [];

await build();
const browser = await chromium.launch({ executablePath: findOrGetBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
if (sought.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const began = Date.now();
const waiting = looks.values();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const look of waiting) await takeAll(look);
  }),
);
await browser.close();
writeFileSync(join(folder, 'index.html'), overview());
const seconds = Math.round((Date.now() - began) / 1000);
console.log(`${chosen.length * looks.length - failed.length} pictures in ${folder} after ${seconds} s`);
for (const each of failed) console.error(each);
process.exit(failed.length === 0 ? 0 : 1);

/** Every state as it looks, with an organisation of its own: what one look reads is unread in the next. */
async function takeAll(look) {
  const product = await startProduct();
  try {
    await prepare(product.url);
    for (const state of chosen) await take(state, look, product.url);
  } finally {
    await product.stop();
  }
}

async function take(state, look, url) {
  const { size, language, theme } = look;
  const japan = { locale: 'ja-JP', timezoneId: 'Asia/Tokyo' };
  const context = await browser.newContext({ ...sizes[size], ...japan, baseURL: url, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript(
      ([locale, colours]) => {
        localStorage.setItem('engawa:locale', locale);
        localStorage.setItem('engawa:theme', colours);
      },
      [language, theme],
    );
    await context.request.post('/api/session', { data: { email: sample.me }, headers: { Origin: url } });
    page.setDefaultTimeout(10_000);
    await state.reach({ page, words: languages[language], narrow: size === 'phone' });
    await atRest(page);
    await page.screenshot({ path: join(folder, fileName(state, look)) });
  } catch (error) {
    failed.push(`${fileName(state, look)}: ${error.message.split('\n', 2).join(' ')}`);
  } finally {
    await context.close();
  }
}

function fileName({ name }, { size, language, theme }) {
  return `${name.replaceAll(/[ ,]+/g, '-')}.${size}.${language}.${theme}.png`;
}

function picture(file) {
  return `<a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a>`;
}

/** All pictures on one page, a row for each state. */
function overview() {
  const rows = chosen.map(
    (state) => `<h2>${state.name}</h2><div>${looks.map((look) => picture(fileName(state, look))).join('')}</div>`,
  );
  const style = 'body{font:14px sans-serif;background:#ddd}div{display:flex;gap:8px;overflow-x:auto}img{height:420px}';
  return `<!doctype html><meta charset="utf-8"><title>Engawa</title><style>${style}</style>${rows.join('\n')}`;
}
