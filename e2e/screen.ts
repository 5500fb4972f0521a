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

/** After pending timers, because the title is set after the frame. */
export const titleOf = (page: Page): Promise<string> =>
  page.evaluate(() => new Promise<string>((done) => setTimeout(() => done(document.title))));

export async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** The mentions that are painted behind the field. */
export const mentionChips = (page: Page): Locator => page.locator('footer mark');
export const mentionCandidates = (page: Page): Locator => page.getByRole('listbox', { name: 'メンションの候補' });

/** Sends a message and returns the content that the server receives. */
export async function contentSentBy(page: Page, send: () => Promise<void>): Promise<string | null> {
  const request = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/messages'));
  await send();
  return new URLSearchParams((await request).postData() ?? '').get('content');
}

/** Opens `/logout`, which asks, and consents. */
export async function signOut(page: Page): Promise<void> {
  await page.goto('/logout');
  await page.getByRole('dialog', { name: 'ログアウト' }).getByRole('button', { name: 'ログアウトする' }).click();
}

/** Waits until the server has confirmed the message, which cannot be edited before. */
export async function arrived(row: Locator): Promise<void> {
  await expect(row).toHaveAttribute('data-key', /^\d+$/);
}

/** Waits until unsent text and files are stored, so that leaving the page does not ask. */
export async function unsentStored(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true);
}

/** Delays the decoding of chosen pictures until the returned function is called. */
export async function delayDecoding(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { decode } = HTMLImageElement.prototype;
    HTMLImageElement.prototype.decode = async function decodeLater() {
      await promise;
      return decode.call(this);
    };
    Object.assign(globalThis, { decodeNow: resolve });
  });
  return () => page.evaluate<void>('decodeNow()');
}

/** Matches the scripts that the screens load on demand: all that `index.html` does not name. */
export async function scriptsOnDemand(page: Page): Promise<(url: URL) => boolean> {
  const html = await (await page.request.get('/')).text();
  return ({ pathname }) => /^\/assets\/.+\.js$/.test(pathname) && !html.includes(pathname);
}

/** Waits until the code that is loaded after the first screen runs: no script is loaded for half a second. */
export async function backgroundTasksRun(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let before = -1, now = 0; before !== now;) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      before = now;
      now = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length;
    }
  });
  await painted(page);
}

/** Resolves when the server has stored the next change of a setting, which the page shows earlier. */
export async function settingStored(page: Page): Promise<void> {
  await page.waitForResponse((response) => response.url().endsWith('/api/v1/settings') && response.ok());
}

/** Closes a dialog or menu, and waits until its history entry is left: an address that is opened meanwhile would be left too. */
export async function closeLayer(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !Object(history.state).layer);
}

/** Waits for two frames. */
export async function painted(page: Page): Promise<void> {
  const frame = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  await frame();
  await frame();
}

/** Resizes the window, and waits until the page has the new size. */
export async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction((width) => innerWidth === width, size.width);
}

/** Holds requests until the returned function continues or answers them. */
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

/** Waits until the page has left the history entry of a layer that was closed. A reload or Back before would race with that step. */
export async function withoutLayers(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => Object(history.state).layer ?? 0)).toBe(0);
}

/** The answer of a failing server, for `route.fulfill`. */
export const refusal = { status: 500, json: { result: 'error', code: 'INTERNAL', msg: 'broken' } };

/** Types and presses Enter before the page has rendered the results. */
export async function typeAndEnterAtOnce(searchField: Locator, text: string): Promise<void> {
  await searchField.evaluate(async (input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    // The page handles the input event before the key, and renders nothing in between.
    await Promise.resolve();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  }, text);
}
