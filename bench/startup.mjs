// What stands between a visitor and the first message.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/fingerprint.mjs';
import { freshPage, openBare } from './page.mjs';
import { repeat } from './samples.mjs';

/** kB of every script that the page names, and so fetches before anybody asks for more. */
export function initialJavaScript() {
  const screens = join(root, 'packages/web/dist');
  const page = readFileSync(join(screens, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, name]) => name);
  const bytes = names.map((name) => gzipSync(readFileSync(join(screens, name)), { level: 9 }).length);
  return [bytes.reduce((sum, each) => sum + each, 0) / 1024];
}

/**
 * From the beginning of the navigation, with nothing in any cache and nobody signed in, to the frame with a message; and the
 * same of a bare page, by turns.
 */
export async function firstMessage(browser, url) {
  const bare = [];
  const measured = await repeat(7, async () => {
    bare.push(await shown(browser, url, openBare, 'bare'));
    return shown(browser, url, (page) => page.goto('/'), 'message');
  });
  return { measured, bare };
}

async function shown(browser, url, open, condition) {
  const page = await freshPage(browser, url, { slower: 4 });
  await open(page);
  const time = await page.evaluate((what) => globalThis.bench.shown(what), condition);
  await page.context().close();
  return time;
}
