import type { BrowserContextOptions, Page } from '@playwright/test';
import { builtFiles, startUpdatableProduct, type UpdatableProduct } from './updatableProduct.ts';
import { authorOf } from './author.ts';
import { open } from './messageList.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInContext, signIn, test as base } from './product.ts';
import { arrived, department, field, fileInput, header, message, rail, sendButton, signOut, write } from './screen.ts';

const me = 'sato@engawa.example';
const stream = 'プロダクト開発部';
const elsewhere = '全社アナウンス';
const withWorker: BrowserContextOptions = { serviceWorkers: 'allow' };

const test = base.extend<{ deployment: UpdatableProduct }>({
  deployment: async ({ browser }, provide) => {
    const deployment = await startUpdatableProduct();
    await provide(deployment);
    await Promise.all(browser.contexts().map((context) => context.close()));
    await deployment.stop();
  },
});

const notice = (page: Page) => page.getByText('新しいバージョンがあります。');
const apply = (page: Page) => page.getByRole('button', { name: '更新する', exact: true });
const versionOf = (page: Page) => page.locator('meta[name="engawa-version"]').getAttribute('content');

/** Cached addresses by version. */
const cachedIn = (page: Page): Promise<Readonly<Record<string, readonly string[]>>> =>
  page.evaluate(async () => {
    const cached: Record<string, readonly string[]> = {};
    for (const name of await caches.keys()) {
      cached[name] = (await (await caches.open(name)).keys()).map(({ url }) => url.replace(location.origin, ''));
    }
    return cached;
  });

/** Waits until the version is cached and its worker controls the page. */
async function untilCached(page: Page, version: string | null): Promise<void> {
  const look = () =>
    page.evaluate(async (name) => {
      const registration = await navigator.serviceWorker.getRegistration();
      const coming = registration?.installing ?? registration?.waiting;
      // Caches of older versions are removed before the worker is activated.
      const isActive = registration?.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
      return (await caches.has(name)) && !coming && isActive;
    }, `engawa shell ${version}`);
  await expect.poll(look, { timeout: 60_000 }).toBe(true);
}

test(
  'The browser can install the product, with icons for every operating system',
  { tag: '@whole-browser' },
  async ({ browser, product }) => {
    const page = await signIn(browser, product, me, withWorker);
    await untilCached(page, await versionOf(page));
    const devtools = await page.context().newCDPSession(page);
    const manifest = await devtools.send('Page.getAppManifest');
    expect(manifest.errors).toEqual([]);
    expect(new URL(manifest.url).pathname).toBe('/manifest.webmanifest');
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A test context is a private window, which cannot install.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);

    const { icons, shortcuts, ...described } = JSON.parse(manifest.data ?? '');
    expect(described).toMatchObject({ name: '縁側 Engawa', lang: 'ja', id: '/', start_url: '/', display: 'standalone' });
    for (const { src, sizes } of [...icons, { src: '/icons/apple-touch-icon.png', sizes: '180x180' }]) {
      const size = await page.evaluate(async (address) => {
        const picture = await createImageBitmap(await (await fetch(address)).blob());
        return `${picture.width}x${picture.height}`;
      }, src);
      expect(size).toBe(sizes);
    }
    for (const { url, name } of shortcuts) {
      await page.goto(url);
      await expect(page.getByRole('list', { name }).or(page.getByRole('heading', { name })).first()).toBeVisible();
    }
  },
);

test('The installed product says that the server does not answer, and opens once the server answers again', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, me, withWorker);
  await untilCached(page, await versionOf(page));
  await product.kill();
  const errors: string[] = [];
  page.on('pageerror', ({ message: said }) => errors.push(said));
  const opened = await page.context().newPage();
  opened.on('pageerror', ({ message: said }) => errors.push(said));
  for (const each of [page, opened]) {
    const answer = await each.goto('/?again');
    expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");
    await expect(each.getByRole('heading', { name: '縁側をひらけませんでした' })).toBeVisible();
    await expect(each.getByText('サーバーにつながりませんでした。')).toBeVisible();
    await expect(each.getByText('つながりしだい、自動でひらきます。')).toBeVisible();
  }
  await checkScreen(opened, '03 not opened');
  await product.start();
  for (const each of [page, opened]) {
    await expect(each.getByRole('log')).toBeVisible({ timeout: 30_000 });
  }
  expect(errors).toEqual([]);
});

test('Every open tab announces a new version, and reloads only when the member chooses so', async ({ browser, deployment }) => {
  const { product } = deployment;
  const page = await signIn(browser, product, me, withWorker);
  const first = await versionOf(page);
  await department(page, stream).click();
  await untilCached(page, first);
  await field(page).fill('書きかけの文章');
  await page.evaluate(() => Object.assign(globalThis, { opened: 'before' }));

  deployment.deploy('second');
  const other = await page.context().newPage();
  await other.goto('/');
  expect(await versionOf(other)).toBe('second');
  await expect(notice(page)).toBeVisible({ timeout: 30_000 });
  await untilCached(other, 'second');
  await expect(notice(other)).toBeHidden();

  await rail(page, '設定').click();
  await page.getByRole('button', { name: 'ヘルプ', exact: true }).click();
  await page.getByRole('link', { name: 'キーボードショートカット' }).click();
  await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'opened'))).toBe('before');

  const keyword = page.getByRole('textbox', { name: '言葉', exact: true });
  await keyword.fill('納期');
  await apply(page).click();
  await expect(page.getByText('入力中の内容があります。更新すると消えます。')).toBeVisible();
  await keyword.fill('');
  await rail(page, '組織').click();
  await department(page, stream).click();
  await fileInput(page).setInputFiles({ name: '議事録.txt', mimeType: 'text/plain', buffer: Buffer.from('議題') });
  await apply(page).click();
  await expect(page.getByText('送っていない添付ファイルがあります。')).toBeVisible();
  await expect(page.getByRole('button', { name: 'それでも更新する' })).toBeVisible();
  await checkScreen(page, '03c new version, files chosen');
  await rail(page, '設定').click();
  await keyword.fill('納期');
  await apply(page).click();
  await expect(page.getByText('送っていない添付ファイルがあります。')).toBeVisible();
  await page.getByRole('button', { name: 'それでも更新する' }).click();
  await expect(page.getByText('入力中の内容があります。更新すると消えます。')).toBeVisible();
  expect(await versionOf(page)).toBe(first);
  await keyword.fill('');
  await rail(page, '組織').click();
  await page.getByRole('button', { name: '議事録.txt を外す' }).click();
  await apply(page).click();
  await expect.poll(() => versionOf(page)).toBe('second');
  await expect(field(page)).toHaveValue('書きかけの文章');
  await expect(header(page)).toHaveText(stream);
  await expect(notice(page)).toBeHidden();

  deployment.deploy('third');
  await other.reload();
  await untilCached(other, 'third');
  await expect.poll(async () => Object.keys(await cachedIn(other))).toEqual(['engawa shell second', 'engawa shell third']);
  await expect(notice(page)).toBeVisible();
  await checkScreen(page, '03b new version');
  // The notice must not render again while a message is written to the disk.
  await notice(page).evaluate((element) => {
    Object.assign(globalThis, { changed: 0 });
    new MutationObserver(() => Object.assign(globalThis, { changed: 1 })).observe(element, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  await write(page, 'お知らせの下で');
  await arrived(message(page, 'お知らせの下で'));
  expect(await page.evaluate('changed')).toBe(0);
  await field(page).focus();
  await page.getByRole('button', { name: 'あとで' }).click();
  await expect(notice(page)).toBeHidden();
  await expect(field(page)).toBeFocused();
  expect(await versionOf(page)).toBe('second');
});

/** A phone's browser, whose pages may not create notifications; records the calls of the service worker. */
const telephone = `
  globalThis.Notification = class extends Notification {
    constructor() { throw new TypeError('Illegal constructor.'); }
  };
  globalThis.shown = [];
  globalThis.soughtToClose = [];
  const { showNotification, getNotifications } = ServiceWorkerRegistration.prototype;
  Object.assign(ServiceWorkerRegistration.prototype, {
    showNotification(title, options) {
      shown.push({ title, body: options.body, tag: options.tag, address: options.data.address });
      return showNotification.call(this, title, options);
    },
    getNotifications(sought) {
      soughtToClose.push(sought.tag);
      return getNotifications.call(this, sought);
    },
  });
`;

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly address: string;
}

/** Dispatches the click that a test cannot perform. */
const press = (address: string) => `
  const pressed = new ExtendableEvent('notificationclick');
  Object.assign(pressed, { notification: { close() {}, data: ${JSON.stringify({ address })} } });
  dispatchEvent(pressed);
`;

test(
  '[R2.25.4] The service worker shows notifications in browsers where pages may not, and a press opens the message',
  { tag: '@whole-browser' },
  async ({ browser, product }) => {
    const context = await signedInContext(browser, product, me, withWorker);
    await context.grantPermissions(['notifications']);
    await context.addInitScript(telephone);
    const page = await context.newPage();
    await page.goto('/');
    await open(page, elsewhere);
    await untilCached(page, await versionOf(page));
    const author = await authorOf(product, 'suzuki@engawa.example');
    const id = await author.send(stream, '@**佐藤 美咲** 電話でも見えますか。');
    const shown = (): Promise<readonly Shown[]> => page.evaluate('shown');
    const tag = `engawa ${id}`;
    await expect.poll(shown).toMatchObject([{ title: `鈴木 健太（${stream}）`, body: '@佐藤 美咲 電話でも見えますか。', tag }]);
    const [notification] = await shown();
    await context.serviceWorkers()[0]?.evaluate(press(notification?.address ?? ''));
    await expect(header(page)).toHaveText(stream);
    await expect(message(page, '電話でも見えますか。')).toBeVisible();
    await expect.poll(() => page.evaluate('soughtToClose')).toContain(tag);
  },
);

test('The browser’s cache has the files of the product and no data of members, before and after signing out', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, me, withWorker);
  await department(page, stream).click();
  await untilCached(page, await versionOf(page));
  await page.goto('/?from=himitsu#/password/himitsu');
  await department(page, stream).click();
  await write(page, '内緒の話');
  await expect(message(page, '内緒の話').locator('time')).toBeVisible();
  await fileInput(page).setInputFiles({ name: '内緒.txt', mimeType: 'text/plain', buffer: Buffer.from('内緒の話') });
  await sendButton(page).click();
  await expect(message(page, '内緒.txt').locator('time')).toBeVisible();
  const screens = new Set(['/', ...builtFiles()]);
  const look = async () => Object.values(await cachedIn(page)).flat();
  const cached = await look();
  expect(cached.length).toBeGreaterThan(30);
  expect(cached.filter((address) => !screens.has(address) || address.startsWith('/avatars'))).toEqual([]);
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  expect(await look()).toEqual(cached);
});
