// Measures the start of the web client.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/fingerprint.mjs';
import { freshPage, openBare } from './page.mjs';
import { repeat } from './samples.mjs';

/** kB (gzip) of every script that index.html names. */
export function initialJavaScript() {
  const build = join(root, 'packages/web/dist');
  const page = readFileSync(join(build, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, name]) => name);
  const bytes = names.map((name) => gzipSync(readFileSync(join(build, name)), { level: 9 }).length);
  return [bytes.reduce((sum, each) => sum + each, 0) / 1024];
}

/** Without caches and session, alternating with a bare page. */
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
