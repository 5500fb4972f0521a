// Measures the start of the web client.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/fingerprint.mjs';
import { barePath } from './page.mjs';
import { repeat } from './samples.mjs';
import { launchUninspected } from './uninspected.mjs';

/** kB (gzip) of every script that index.html names. */
export function initialJavaScript() {
  const build = join(root, 'packages/web/dist');
  const page = readFileSync(join(build, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, name]) => name);
  const bytes = names.map((name) => gzipSync(readFileSync(join(build, name)), { level: 9 }).length);
  return [bytes.reduce((sum, each) => sum + each, 0) / 1024];
}

/** Without caches and session, alternating with a bare page. */
export async function firstMessage(url) {
  const browser = await launchUninspected();
  try {
    const bare = [];
    const measured = await repeat(11, async () => {
      bare.push(await browser.shown(`${url}${barePath}`, 'bare', { slower: 4 }));
      return browser.shown(url, 'message', { slower: 4 });
    });
    return { measured, bare };
  } finally {
    await browser.close();
  }
}
