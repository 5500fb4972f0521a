/** The parts of the screen by the names that a person (or a screen reader) knows them by. */
import { expect, type Locator, type Page, type Route } from '@playwright/test';

export const rail = (page: Page, tab: '組織' | 'ストリーム' | '設定'): Locator => page.getByRole('tab', { name: tab });
export const tree = (page: Page): Locator => page.getByRole('tree');
export const department = (page: Page, name: string): Locator =>
  tree(page)
    .getByRole('treeitem')
    .filter({ has: page.getByText(name, { exact: true }) });
export const streamRow = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'ストリームの一覧' })
    .getByRole('link')
    .filter({ has: page.getByText(name, { exact: true }) });
export const header = (page: Page): Locator => page.getByRole('heading', { level: 2 });
export const messages = (page: Page): Locator => page.getByRole('log').getByRole('article');
export const message = (page: Page, text: string): Locator => messages(page).filter({ hasText: text });
export const field = (page: Page): Locator => page.getByPlaceholder('メッセージを入力');
export const sendButton = (page: Page): Locator => page.getByRole('button', { name: '送信', exact: true });
export const emojiButton = (page: Page): Locator => page.getByRole('button', { name: '絵文字', exact: true });
export const picker = (page: Page): Locator => page.getByRole('dialog', { name: '絵文字を選ぶ' });
export const fileInput = (page: Page): Locator => page.locator('input[type=file]');

export async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** Waits for the message itself to have taken the place of what was sent, which is a row of its own and cannot be corrected. */
export async function arrived(row: Locator): Promise<void> {
  await expect(row).toHaveAttribute('data-key', /^\d+$/);
}

/** When the browser keeps what was written or chosen and is not sent yet, and whoever leaves is not asked. */
export async function keptForLater(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true);
}

/** The browser takes its time with pictures that are chosen, until it is let go on. */
export async function looksLate(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { decode } = HTMLImageElement.prototype;
    HTMLImageElement.prototype.decode = async function lookedAtLate() {
      await promise;
      return decode.call(this);
    };
    Object.assign(globalThis, { look: resolve });
  });
  return () => page.evaluate<void>('look()');
}

/** Matches the scripts that the screens load on demand: all that `index.html` does not name. */
export async function scriptsOnDemand(page: Page): Promise<(url: URL) => boolean> {
  const html = await (await page.request.get('/')).text();
  return ({ pathname }) => /^\/assets\/.+\.js$/.test(pathname) && !html.includes(pathname);
}

/** Waits until the code that is loaded after the first screen runs, of which the first sign is the member's presence. */
export async function backgroundTasksRun(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/v1/users/me/presence')),
  );
  await painted(page);
}

/** When what the screens have heard of, such as a new size of the window, is drawn. */
export async function painted(page: Page): Promise<void> {
  const frame = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  await frame();
  await frame();
}

/** Gives the window another size, and waits until the page knows. */
export async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction((width) => innerWidth === width, size.width);
}

/** Keeps requests waiting until they are let go, or answered. */
export async function hold(
  page: Page,
  pattern: string | ((url: URL) => boolean),
): Promise<(answer?: Parameters<Route['fulfill']>[0]) => void> {
  const { promise, resolve } = Promise.withResolvers<Parameters<Route['fulfill']>[0]>();
  await page.route(pattern, async (route) => {
    const answer = await promise;
    await (answer ? route.fulfill(answer) : route.continue());
  });
  return resolve;
}

/** Types and presses Enter before the page has found the time to draw what it found, as the fast and those on slow machines do. */
export async function typeAndEnterAtOnce(searchField: Locator, text: string): Promise<void> {
  await searchField.evaluate(async (input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    // What is typed is taken in before another key can come, and no more than that.
    await Promise.resolve();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  }, text);
}
