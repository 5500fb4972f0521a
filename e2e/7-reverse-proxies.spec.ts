/**
 * A browser behind the proxies of the operator's guide. The Zulip answers a poll without events after 70 seconds, which is longer than the
 * 60 seconds that nginx waits by default. `server/src/security/behindProxies.test.ts` has what needs no browser.
 */
import type { Page } from '@playwright/test';
import { exampleHost, proxyMissing, proxyNames, startProxy } from '../packages/server/src/testing/reverseProxies.ts';
import { startZulipProcess } from '../packages/server/src/testing/zulip/zulipProcess.ts';
import { expect, test } from './product.ts';
import { field, header, message, rail, sendButton, streamRow } from './screen.ts';
import { freePort, startProduct } from './server.ts';

const nginxPatience = 60_000;

async function openStream(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('メールアドレス（またはユーザー名）').fill(email);
  await page.getByLabel('パスワード', { exact: true }).fill('demo');
  await page.getByRole('button', { name: 'サインイン' }).click();
  await rail(page, 'ストリーム').click();
  await streamRow(page, '雑談・縁側').click();
  await expect(header(page)).toHaveText('雑談・縁側');
}

for (const name of proxyNames) {
  const missing = proxyMissing(name);

  test(`[R7.8] Through ${name}, set up as in the guide, a browser loads the page by HTTP/2, waits for events longer than a minute, and gets a message`, async ({
    playwright,
    launchOptions,
  }) => {
    test.skip(missing !== undefined, missing);
    const zulip = await startZulipProcess({ callsPerMinute: 10_000, heartbeatSeconds: 70 });
    const PORT = await freePort();
    const behind = { TRUSTED_PROXY: '127.0.0.1', PUBLIC_URL: `https://${exampleHost}` };
    const product = await startProduct({ AUTH_MODE: 'password', ZULIP_SITE: zulip.url, PORT, ...behind });
    const proxy = await startProxy(name, Number(PORT));
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${exampleHost} 127.0.0.1:${proxy.port}`],
    });
    try {
      const open = async () =>
        (
          await browser.newContext({ baseURL: product.url, ignoreHTTPSErrors: true, serviceWorkers: 'block', locale: 'ja-JP' })
        ).newPage();
      const page = await open();
      const polls: { readonly status: number; readonly milliseconds: number }[] = [];
      page.on('response', (answer) => {
        if (!answer.url().includes('/api/v1/events')) return;
        const { requestStart, responseStart } = answer.request().timing();
        polls.push({ status: answer.status(), milliseconds: responseStart - requestStart });
      });
      await openStream(page, 'tanaka@engawa.example');
      const protocol = () =>
        page.evaluate(() => performance.getEntriesByType('navigation').map((entry) => Reflect.get(entry, 'nextHopProtocol')));
      expect(await protocol()).toEqual(['h2']);
      await expect.poll(() => polls.some(({ milliseconds }) => milliseconds > nginxPatience), { timeout: 150_000 }).toBe(true);
      expect(polls.filter(({ status }) => status !== 200)).toEqual([]);

      const other = await open();
      await openStream(other, 'sato@engawa.example');
      await field(other).fill('プロキシを通って届く');
      await sendButton(other).click();
      await expect(message(page, 'プロキシを通って届く')).toBeVisible();
    } finally {
      await browser.close();
      await proxy.stop();
      await product.stop();
      await zulip.close();
    }
  });
}
