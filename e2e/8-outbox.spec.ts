import { writeFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInContext, signIn, test, type Product } from './product.ts';
import {
  arrived,
  department,
  field,
  fileInput,
  unsentStored,
  message,
  messages,
  rail,
  sendButton,
  streamRow,
  write,
  signOut,
} from './screen.ts';
import { startFaultyProxy, type CutPoint, type FaultyProxy } from './faultyProxy.ts';

const send = 'POST /api/v1/messages';
const streamName = 'プロダクト開発部';

interface Cut {
  readonly step: string;
  readonly call: string;
  readonly where: CutPoint;
  /** The second of three messages is a file. */
  readonly file?: boolean;
  /** Whether the case is also tested by closing the tab. In other cases a new tab behaves like a reload. */
  readonly everyWay?: boolean;
}

const cuts: readonly Cut[] = [
  { step: 'before a message leaves', call: send, where: 'request', everyWay: true },
  { step: 'when the server has it and has not answered', call: send, where: 'answer', everyWay: true },
  { step: 'in the middle of the answer', call: send, where: 'half' },
  { step: 'between the answer and the event', call: 'GET /api/v1/events', where: 'answer' },
  { step: 'during the upload of a file', call: 'POST /api/api/upload/file', where: 'body', file: true, everyWay: true },
  { step: 'when the server has the file and has not answered', call: 'POST /api/api/upload/file', where: 'answer', file: true },
  { step: 'between a file and its message', call: send, where: 'request', file: true },
];

const closed = 'the tab is closed, and another opened';

/** Actions of the member, each of which also restores the connection. */
const ways: Readonly<Record<string, (page: Page, mend: () => void) => Promise<Page>>> = {
  'the network comes back': async (page, mend) => {
    mend();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    return page;
  },
  'the page is opened anew': async (page, mend) => {
    // `commit`: the old page is gone, and the new one has requested nothing yet.
    await page.reload({ waitUntil: 'commit' });
    mend();
    return page;
  },
  [closed]: async (page, mend) => {
    const context = page.context();
    await page.close();
    mend();
    const next = await context.newPage();
    await next.goto('/');
    await department(next, streamName).click();
    return next;
  },
};

let proxy: FaultyProxy;
test.beforeAll(async ({ products }, { file }) => {
  proxy = await startFaultyProxy((await products.demo.startFor(file)).url);
});
test.afterAll(() => proxy.close());

/** A member whose browser reaches the product through the proxy. */
async function behindProxy(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  await department(page, streamName).click();
  await expect(field(page)).toBeVisible();
  return page;
}

async function sendFile(page: Page, name: string): Promise<void> {
  await fileInput(page).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(200_000, name) });
  await sendButton(page).click();
  await expect(message(page, name)).toBeVisible();
}

/** The texts of the visible messages that match, in order. */
async function shown(page: Page, word: RegExp): Promise<readonly string[]> {
  const texts = await messages(page).allInnerTexts();
  return texts.flatMap((text) => word.exec(text)?.[0] ?? []);
}

/** The texts of the server's messages that match, in order. */
async function stored(context: BrowserContext, { url }: Product, stream: string, word: RegExp): Promise<readonly string[]> {
  const narrow = JSON.stringify([{ operator: 'stream', operand: stream }]);
  const params = { anchor: 'newest', num_before: 500, num_after: 0, apply_markdown: false, narrow };
  const answer = await context.request.get(`${url}/api/v1/messages`, { params });
  const { messages: found }: { messages: readonly { content: string }[] } = await answer.json();
  return found.flatMap(({ content }) => word.exec(content)?.[0] ?? []);
}

test('[R4.8.2, R4.4] Messages arrive once and in order, wherever the connection breaks, also if the page is reloaded or closed', async ({
  browser,
  product,
}) => {
  // All cases share a product and a page.
  test.slow();
  const sato = await signedInContext(browser, { ...product, url: proxy.url }, 'sato@engawa.example');
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await department(suzuki, streamName).click();
  let page = await behindProxy(sato);
  const expected: string[] = [];

  for (const [way, go] of Object.entries(ways)) {
    for (const { step, call, where, file = false } of cuts.filter(({ everyWay }) => everyWay || way !== closed)) {
      await test.step(`${step}; ${way}`, async () => {
        const number = expected.length / 3 + 1;
        const words = ['一', '二', '三'].map((word) => `送信${number}-${word}`);
        const [first = '', second = '', third = ''] = words;
        if (file) {
          await write(page, first);
          await expect(message(suzuki, first)).toBeVisible();
        }
        const happened = proxy.cut(call, where);
        if (file) await sendFile(page, second);
        else for (const text of [first, second]) await write(page, text);
        await happened;
        await write(page, third);
        await expect(message(page, third)).toBeVisible();
        await unsentStored(page);
        page = await go(page, proxy.mend);
        expected.push(...words);
        for (const each of [suzuki, page]) {
          await expect.poll(() => shown(each, new RegExp(`送信${number}-.`))).toEqual(words);
        }
        await expect(messages(page).getByRole('alert')).toHaveCount(0);
      });
    }
  }
  expect(await stored(sato, product, streamName, /送信\d+-./)).toEqual(expected);
});

test('[R4.8.2, R4.4] Messages written during a long outage arrive once and in order', async ({ browser, product }) => {
  const sato = await signedInContext(browser, { ...product, url: proxy.url }, 'sato@engawa.example');
  const page = await behindProxy(sato);
  const other = await behindProxy(sato);
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await rail(page, 'ストリーム').click();
  await streamRow(page, '雑談・縁側').click();
  await expect(field(page)).toBeVisible();
  await streamRow(page, streamName).click();
  await sato.setOffline(true);
  for (const text of ['圏外1', '圏外2']) await write(page, text);
  await write(other, '圏外3');
  await sendFile(page, '圏外4');
  await streamRow(page, '雑談・縁側').click();
  for (const text of ['圏外5', '圏外6']) await write(page, text);
  await expect(message(page, '圏外6')).toContainText('送信待ち');
  for (const each of [page, other]) await unsentStored(each);
  await page.close({ runBeforeUnload: true });
  await other.close();
  await department(suzuki, streamName).click();
  await write(suzuki, '圏外の間に');
  await arrived(message(suzuki, '圏外の間に'));
  await sato.setOffline(false);

  const back = await behindProxy(sato);
  const inRoom = ['圏外の間', '圏外1', '圏外2', '圏外3', '圏外4'];
  for (const each of [suzuki, back]) await expect.poll(() => shown(each, /圏外の間|圏外\d/)).toEqual(inRoom);
  await expect.poll(() => stored(sato, product, '雑談・縁側', /圏外\d/)).toEqual(['圏外5', '圏外6']);
  expect(await stored(sato, product, streamName, /圏外の間|圏外\d/)).toEqual(inRoom);
});

test('[R4.8.2, R8.4] A file that changed on disk before its upload is reported as missing, and later messages are sent', async ({
  browser,
  product,
}, testInfo) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, streamName).click();
  const path = testInfo.outputPath('見積の控え.txt');
  writeFileSync(path, '第一版');
  await fileInput(page).setInputFiles(path);
  writeFileSync(path, '第二版は第一版より長い');
  await sendButton(page).click();
  const card = message(page, '見積の控え');
  await expect(card).toHaveAttribute('data-state', 'failed');
  await expect(card.getByRole('alert')).toContainText('ファイルを読めません。上書き・移動・削除されたか');
  await write(page, '見積は明日送ります');
  await expect(message(page, '見積は明日送ります')).toHaveAttribute('data-state', 'sent');
  await checkScreen(page, '48c chat, a file that is gone');
});

test('[R1.5, R4.8.2] After a member signs out, the next member neither sends nor sees the unsent messages', async ({
  browser,
  product,
}) => {
  const context = await signedInContext(browser, { ...product, url: proxy.url }, 'sato@engawa.example');
  let page = await behindProxy(context);
  const headers = { Origin: proxy.url };
  const signInAs = (who: string) => context.request.post('/api/session', { data: { email: `${who}@engawa.example` }, headers });

  await page.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await write(page, '佐藤の言葉');
  await expect(message(page, '佐藤の言葉').getByRole('alert')).toBeVisible();
  await page.close();

  await signInAs('suzuki');
  page = await behindProxy(context);
  await write(page, '鈴木の言葉');
  await expect(message(page, '鈴木の言葉').locator('time')).toBeVisible();
  await expect(message(page, '佐藤の言葉')).toHaveCount(0);
  await page.close();

  await signInAs('sato');
  page = await behindProxy(context);
  await expect(message(page, '佐藤の言葉').locator('time')).toBeVisible();
  await page.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await write(page, '書いて出ていく');
  await expect(message(page, '書いて出ていく').getByRole('alert')).toBeVisible();
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(2);
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(1);
  await page.unroute('**/api/v1/messages');
  await signInAs('sato');
  await page.goto('/');
  await department(page, streamName).click();
  await write(page, '戻りました');
  await expect(message(page, '戻りました').locator('time')).toBeVisible();
  await expect(message(page, '書いて出ていく')).toHaveCount(0);
  expect(await stored(context, product, streamName, /佐藤の言葉|鈴木の言葉|書いて出ていく|戻りました/)).toEqual([
    '鈴木の言葉',
    '佐藤の言葉',
    '戻りました',
  ]);
});

test('[R2.1, R4.8.2] A member with unsent messages is asked before signing out, and Enter cancels the sign-out', async ({
  browser,
  product,
}) => {
  const context = await signedInContext(browser, { ...product, url: proxy.url }, 'sato@engawa.example');
  const page = await behindProxy(context);
  await context.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  for (const text of ['出る前に1', '出る前に2']) await write(page, text);
  await expect(message(page, '出る前に1').getByRole('alert')).toBeVisible();
  const other = await behindProxy(context);
  await expect(message(other, '出る前に2')).toBeVisible();
  await rail(other, '設定').click();
  const logout = other.getByRole('link', { name: 'ログアウト' });
  await logout.focus();
  await other.keyboard.press('Enter');
  const question = other.getByRole('dialog', { name: 'ログアウト' });
  await expect(question).toContainText('まだ送られていないメッセージが 2 件あります。ログアウトすると消えます。');
  await expect(question.getByRole('button', { name: 'キャンセル' })).toBeFocused();
  await checkScreen(other, '85b settings, signing out with messages that are not sent');
  await other.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(logout).toBeFocused();
  await expect(message(other, '出る前に1')).toBeVisible();

  await logout.click();
  await context.setOffline(true);
  await question.getByRole('button', { name: 'ログアウトする' }).click();
  await expect(question.getByRole('alert')).toContainText('サーバーにつながりませんでした');
  await expect(message(other, '出る前に2')).toBeVisible();
  await context.setOffline(false);
  await question.getByRole('button', { name: 'ログアウトする' }).click();
  for (const each of [other, page]) await expect(each.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect.poll(() => other.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});

test('[R2.1, R8.4] Signing out without a network shows an error, and the member stays signed in', async ({
  browser,
  product,
}) => {
  const context = await signedInContext(browser, { ...product, url: proxy.url }, 'suzuki@engawa.example');
  const page = await behindProxy(context);
  await rail(page, '設定').click();
  await context.setOffline(true);
  const logout = page.getByRole('link', { name: 'ログアウト' });
  await logout.click();
  await expect(page.getByRole('alert').filter({ hasText: 'サーバーにつながりませんでした' })).toBeVisible();
  await expect(field(page)).toBeVisible();
  await context.setOffline(false);
  await logout.click();
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
});

test('[R4.8.2] A notice shows an unsent message whose stream is no longer available to the member', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'kato@engawa.example');
  await page.evaluate(async () => {
    let name: string | undefined;
    while (!name?.startsWith('engawa outbox ')) name = (await indexedDB.databases())[0]?.name;
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const writing = opening.result.transaction('entries', 'readwrite');
    const text = '会場の下見は来週の火曜でどうでしょう。駅から歩いて 5 分ほどのところです。';
    writing.objectStore('entries').add({ localKey: 'undeliverable', conversation: 999_999, text, timestamp: 0 });
    await new Promise((resolve) => writing.addEventListener('complete', resolve));
  });
  await page.reload();
  await expect(page.getByText('送信先がなくなり、送れなかったメッセージがあります。')).toBeVisible();
  await expect(page.getByText('会場の下見は来週の火曜でどうでしょう。')).toBeVisible();
  await checkScreen(page, '03d not sent, and nowhere to stand');
});
