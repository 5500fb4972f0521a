/** The product as a stranger starts it: the built server on an empty data folder, and members in browsers of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContextOptions, type Page, test as base, expect } from '@playwright/test';

export { expect } from '@playwright/test';

const root = resolve(import.meta.dirname, '..');

export interface Product {
  readonly url: string;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

async function startServer(dataDir: string, port: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: port, HOST: '127.0.0.1', DATA_DIR: dataDir, AUTH_MODE: 'fake' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((found, failed) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url) found({ child, url });
    });
    child.on('exit', () => failed(new Error(`the server ended: ${said}`)));
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolved) => child.once('exit', resolved));
  child.kill(signal);
  await exit;
}

/** One product per worker: tests choose streams and words of their own. */
export const test = base.extend<object, { product: Product }>({
  product: [
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'engawa-'));
      let { child, url } = await startServer(dataDir, '0');
      await use({
        url,
        kill: () => ended(child, 'SIGKILL'),
        start: async () => {
          ({ child } = await startServer(dataDir, new URL(url).port));
        },
      });
      await ended(child, 'SIGTERM');
      rmSync(dataDir, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

/** A member in a browser of their own, on the main screen. */
export async function signIn(
  browser: Browser,
  product: Product,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.url, ...options });
  const signedIn = await context.request.post('/api/session', {
    data: { email },
    headers: { Origin: product.url },
  });
  expect(signedIn.status()).toBe(200);
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('log')).toBeVisible();
  return page;
}
