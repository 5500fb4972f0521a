import type { Browser, BrowserContext, Page } from '@playwright/test';
import { type Author, authorOf } from './author.ts';
import { open } from './messageList.ts';
import { expect, type Product, signedInContext, test } from './product.ts';
import { arrived, backgroundTasksRun, field, header, message, rail, streamRow } from './screen.ts';

const me = 'tanaka@engawa.example';
const other = 'sato@engawa.example';
const stream = 'プロダクト開発部';
const elsewhere = '全社アナウンス';
const call = '@**田中 翔**';

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly closed: boolean;
}

/** Records notifications and still shows them. */
const watched = `
  globalThis.shownNotifications = [];
  const Real = Notification;
  globalThis.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      const entry = { title, body: options.body, closed: false, stands: false, notification: this };
      this.addEventListener('show', () => { entry.stands = true; });
      shownNotifications.push(entry);
      const close = this.close.bind(this);
      this.close = () => { entry.closed = true; close(); };
    }
  };
`;

const shownIn = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate('shownNotifications.map(({ title, body, closed }) => ({ title, body, closed }))');

async function bodiesIn(...pages: readonly Page[]): Promise<readonly string[]> {
  return (await Promise.all(pages.map(shownIn))).flat().map(({ body }) => body);
}

/** A context of a member that may show notifications. */
async function browserOf(browser: Browser, product: Product, email: string): Promise<BrowserContext> {
  const context = await signedInContext(browser, product, email);
  await context.grantPermissions(['notifications']);
  await context.addInitScript(watched);
  return context;
}

async function pageOf(context: BrowserContext, opened = elsewhere): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  await open(page, opened);
  await expect(header(page)).toContainText(opened);
  await backgroundTasksRun(page);
  return page;
}

async function setUp(browser: Browser, product: Product) {
  const context = await browserOf(browser, product, me);
  const author: Author = await authorOf(product, other);
  return { context, author };
}

test.describe('A notification', { tag: '@whole-browser' }, () => {
  test('[R2.25.4] A mention in a stream that is not open shows a notification, and a click on it opens the message', async ({
    browser,
    product,
  }) => {
    const { context, author } = await setUp(browser, product);
    const page = await pageOf(context);
    await author.send(stream, `${call} *急ぎ*の確認です。`);
    await expect
      .poll(() => shownIn(page))
      .toEqual([{ title: `佐藤 美咲（${stream}）`, body: '@田中 翔 急ぎの確認です。', closed: false }]);
    await page.evaluate('shownNotifications[0].notification.dispatchEvent(new Event("click"))');
    await expect(header(page)).toContainText(stream);
    await expect(message(page, '急ぎの確認です。')).toBeVisible();
    await expect.poll(async () => (await shownIn(page)).every(({ closed }) => closed)).toBe(true);
  });

  test('[R2.25.4] Several tabs of a browser show one notification per message, also after one tab is closed', async ({
    browser,
    product,
  }) => {
    const { context, author } = await setUp(browser, product);
    const first = await pageOf(context);
    const second = await pageOf(context);
    await author.send(stream, `${call} 一度だけ。`);
    await expect.poll(() => bodiesIn(first, second)).toEqual(['@田中 翔 一度だけ。']);
    await expect.poll(() => first.evaluate('shownNotifications[0].stands')).toBe(true);
    await first.close();
    await author.send(stream, `${call} もう一度だけ。`);
    await expect.poll(() => bodiesIn(second)).toContain('@田中 翔 もう一度だけ。');
    expect((await bodiesIn(second)).filter((body) => body.includes('もう一度'))).toHaveLength(1);
  });

  test('[R2.25.4] Another tab shows a notification that a closed tab had not shown yet', async ({ browser, product }) => {
    const { context, author } = await setUp(browser, product);
    const first = await pageOf(context);
    // The notification never reports that it is shown.
    await first.evaluate(() => {
      Notification.prototype.addEventListener = () => {};
    });
    const second = await pageOf(context);
    await author.send(stream, `${call} 言いかけて。`);
    await expect(streamRow(second, stream)).toContainText('言いかけて。');
    await expect.poll(() => bodiesIn(first, second)).toEqual(['@田中 翔 言いかけて。']);
    await first.close();
    await expect.poll(() => bodiesIn(second)).toEqual(['@田中 翔 言いかけて。']);
  });

  test('[R2.25.4] The browser shows no notification for own messages and for messages that another tab shows', async ({
    browser,
    product,
  }) => {
    const { context, author } = await setUp(browser, product);
    const polling = await pageOf(context);
    const reading = await pageOf(context, stream);
    await reading.bringToFront();
    await author.send(stream, `${call} 読んでいる間に。`);
    await expect(message(reading, '読んでいる間に。')).toBeVisible();
    await field(reading).fill('自分の一言。');
    await field(reading).press('Enter');
    await arrived(message(reading, '自分の一言。'));
    await author.createStream('通知の見本', [me, other]);
    await author.send('通知の見本', `${call} 別の場所で。`);
    const created = '佐藤 美咲さんがグループを作りました';
    await expect.poll(() => bodiesIn(polling, reading)).toEqual([created, '@田中 翔 別の場所で。']);
  });

  test('[R2.25.4] A notification closes when its message is deleted, or read on another device of the member', async ({
    browser,
    product,
  }) => {
    const { context, author } = await setUp(browser, product);
    const page = await pageOf(context);
    const gone = await author.send(stream, `${call} 消えます。`);
    await expect.poll(() => shownIn(page)).toHaveLength(1);
    await author.delete(gone);
    await expect.poll(async () => (await shownIn(page))[0]?.closed).toBe(true);

    await author.send(stream, `${call} よそで読みます。`);
    await expect.poll(() => shownIn(page)).toHaveLength(2);
    const device = await (await signedInContext(browser, product, me)).newPage();
    await device.goto('/');
    await open(device, stream);
    await device.mouse.move(700, 400);
    await device.mouse.move(710, 410);
    await expect.poll(async () => (await shownIn(page))[1]?.closed).toBe(true);
  });

  test('[R2.25.4] The settings switch notifications on or off on all devices and show a test notification', async ({
    browser,
    product,
  }) => {
    const { context, author } = await setUp(browser, product);
    const page = await pageOf(context);
    const device = await pageOf(await browserOf(browser, product, me));
    await rail(page, '設定').click();
    await page.getByRole('button', { name: 'セキュリティ', exact: true }).click();
    const on = page.getByRole('switch', { name: '通知', exact: true });
    await expect(on).toBeChecked();
    await page.getByRole('button', { name: 'テスト通知を送る' }).click();
    await expect.poll(async () => (await shownIn(page)).map(({ title }) => title)).toEqual(['縁側からのテスト通知']);
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/settings'));
    await on.click();
    await answered;
    await expect(on).not.toBeChecked();
    await rail(device, '設定').click();
    await device.getByRole('button', { name: 'セキュリティ', exact: true }).click();
    await expect(device.getByRole('switch', { name: '通知', exact: true })).not.toBeChecked();
    const before = (await shownIn(page)).length;
    await author.send(stream, `${call} 静かに。`);
    await expect(rail(page, 'ストリーム')).toHaveAttribute('aria-label', /メンション/);
    expect([await shownIn(page), await shownIn(device)].map((shown) => shown.length)).toEqual([before, 0]);
    await on.click();
    await expect(device.getByRole('switch', { name: '通知', exact: true })).toBeChecked();
  });

  test('[R2.25.4] The settings say how to allow notifications that the browser blocks', async ({ browser, product }) => {
    const context = await signedInContext(browser, product, me);
    await context.addInitScript(`Object.defineProperty(Notification, 'permission', { value: 'denied' })`);
    const page = await context.newPage();
    await page.goto('/#/settings');
    await page.getByRole('button', { name: 'セキュリティ', exact: true }).click();
    await expect(page.getByRole('switch', { name: '通知', exact: true })).not.toBeChecked();
    await expect(page.getByText('このブラウザーで通知がブロックされています。')).toBeVisible();
    await expect(page.getByRole('button', { name: 'テスト通知を送る' })).toHaveCount(0);
  });

  test('[R2.25.4] The browser asks for permission when a member switches notifications on', async ({ browser, product }) => {
    const context = await signedInContext(browser, product, me);
    await context.addInitScript(`
      let permission = 'default';
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      globalThis.asked = 0;
      Notification.requestPermission = async () => { asked += 1; return (permission = 'granted'); };
    `);
    const page = await context.newPage();
    await page.goto('/#/settings');
    await page.getByRole('button', { name: 'セキュリティ', exact: true }).click();
    const on = page.getByRole('switch', { name: '通知', exact: true });
    await expect(on).not.toBeChecked();
    expect(await page.evaluate('asked')).toBe(0);
    await on.click();
    await expect(on).toBeChecked();
    expect(await page.evaluate('asked')).toBe(1);
  });

  test('[R2.25.4] The settings say what to do while the browser asks for permission, and after the answer', async ({
    browser,
    product,
  }) => {
    const context = await signedInContext(browser, product, me);
    await context.addInitScript(`
      Object.defineProperty(Notification, 'permission', { value: 'default' });
      Notification.requestPermission = () => new Promise((resolve) => { globalThis.putAway = () => resolve('default'); });
    `);
    const page = await context.newPage();
    await page.goto('/#/settings');
    await page.getByRole('button', { name: 'セキュリティ', exact: true }).click();
    const on = page.getByRole('switch', { name: '通知', exact: true });
    const said = page.getByRole('region', { name: 'セキュリティ' }).getByRole('alert');
    await on.click();
    await expect(said).toContainText('ブラウザーの確認で「許可」を選んでください。');
    await page.evaluate('putAway()');
    await expect(said).toContainText('許可されなかったため、通知はオフのままです。');
    await expect(on).not.toBeChecked();
  });
});
