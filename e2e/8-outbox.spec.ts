import { writeFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, signedInContext, signIn, test, type Product } from './product.ts';
import {
  arrived,
  department,
  field,
  fileInput,
  keptForLater,
  message,
  messages,
  rail,
  sendButton,
  streamRow,
  write,
} from './screen.ts';
import { layWire, type Where, type Wire } from './wire.ts';

const send = 'POST /api/v1/messages';
const room = 'プロダクト開発部';

interface Cut {
  readonly step: string;
  readonly call: string;
  readonly where: Where;
  /** The second of the three messages is a file. */
  readonly file?: boolean;
  /** What is at another step is the same to a tab that is opened anew and to another one. */
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

/** What the member does then. The line is mended in between. */
const ways: Readonly<Record<string, (page: Page, mend: () => void) => Promise<Page>>> = {
  'the network comes back': async (page, mend) => {
    mend();
    // As a browser says it.
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    return page;
  },
  'the page is opened anew': async (page, mend) => {
    // The page before is gone then, and the next has asked for nothing yet.
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
    await department(next, room).click();
    return next;
  },
};

let wire: Wire;
test.beforeAll(async ({ products }, { file }) => {
  wire = await layWire((await products.demo.startFor(file)).url);
});
test.afterAll(() => wire.close());

/** A member whose browser reaches the product by the wire. */
async function onTheWire(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  await department(page, room).click();
  await expect(field(page)).toBeVisible();
  return page;
}

async function sendFile(page: Page, name: string): Promise<void> {
  await fileInput(page).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(200_000, name) });
  await sendButton(page).click();
  await expect(message(page, name)).toBeVisible();
}

/** The test's words in the messages of the conversation that is open, as they stand there. */
async function shown(page: Page, word: RegExp): Promise<readonly string[]> {
  const texts = await messages(page).allInnerTexts();
  return texts.flatMap((text) => word.exec(text)?.[0] ?? []);
}

/** The same of all that the server has. */
async function kept(context: BrowserContext, { url }: Product, stream: string, word: RegExp): Promise<readonly string[]> {
  const narrow = JSON.stringify([{ operator: 'stream', operand: stream }]);
  const params = { anchor: 'newest', num_before: 500, num_after: 0, apply_markdown: false, narrow };
  const answer = await context.request.get(`${url}/api/v1/messages`, { params });
  const { messages: found }: { messages: readonly { content: string }[] } = await answer.json();
  return found.flatMap(({ content }) => word.exec(content)?.[0] ?? []);
}

test('[R4.8.2, R4.4] the line is cut at every step of a send: all arrives once and in order, whatever the member does', async ({
  browser,
  product,
}) => {
  // One product and one page for all of them.
  test.slow();
  const sato = await signedInContext(browser, { ...product, url: wire.url }, 'sato@engawa.example');
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await department(suzuki, room).click();
  let page = await onTheWire(sato);
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
        const happened = wire.cut(call, where);
        if (file) await sendFile(page, second);
        else for (const text of [first, second]) await write(page, text);
        await happened;
        await write(page, third);
        await expect(message(page, third)).toBeVisible();
        await keptForLater(page);
        page = await go(page, wire.mend);
        expected.push(...words);
        for (const each of [suzuki, page]) {
          await expect.poll(() => shown(each, new RegExp(`送信${number}-.`))).toEqual(words);
        }
        // Nothing says that it could not be sent.
        await expect(messages(page).getByRole('alert')).toHaveCount(0);
      });
    }
  }
  expect(await kept(sato, product, room, /送信\d+-./)).toEqual(expected);
});

test('[R4.8.2, R4.4] what is written in several conversations while the network is away for long arrives once and in order', async ({
  browser,
  product,
}) => {
  const sato = await signedInContext(browser, { ...product, url: wire.url }, 'sato@engawa.example');
  const page = await onTheWire(sato);
  const other = await onTheWire(sato);
  const suzuki = await signIn(browser, product, 'suzuki@engawa.example');
  await rail(page, 'ストリーム').click();
  await streamRow(page, '雑談・縁側').click();
  await expect(field(page)).toBeVisible();
  await streamRow(page, room).click();
  await sato.setOffline(true);
  for (const text of ['圏外1', '圏外2']) await write(page, text);
  await write(other, '圏外3');
  await sendFile(page, '圏外4');
  await streamRow(page, '雑談・縁側').click();
  for (const text of ['圏外5', '圏外6']) await write(page, text);
  await expect(message(page, '圏外6')).toContainText('送信待ち');
  // Nothing of it would be lost with the page.
  for (const each of [page, other]) await keptForLater(each);
  await page.close({ runBeforeUnload: true });
  await other.close();
  await department(suzuki, room).click();
  await write(suzuki, '圏外の間に');
  await arrived(message(suzuki, '圏外の間に'));
  await sato.setOffline(false);

  const back = await onTheWire(sato);
  const inRoom = ['圏外の間', '圏外1', '圏外2', '圏外3', '圏外4'];
  for (const each of [suzuki, back]) await expect.poll(() => shown(each, /圏外の間|圏外\d/)).toEqual(inRoom);
  await expect.poll(() => kept(sato, product, '雑談・縁側', /圏外\d/)).toEqual(['圏外5', '圏外6']);
  expect(await kept(sato, product, room, /圏外の間|圏外\d/)).toEqual(inRoom);
});

test('[R4.8.2, R8.4] a file that is saved again before it was sent is said to be gone, and what follows it goes', async ({
  browser,
  product,
}, testInfo) => {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, room).click();
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
});

test('[R1.5, R4.8.2] whoever signs out leaves nothing to be sent, and whoever signs in next sees none of it', async ({
  browser,
  product,
}) => {
  const context = await signedInContext(browser, { ...product, url: wire.url }, 'sato@engawa.example');
  let page = await onTheWire(context);
  const headers = { Origin: wire.url };
  const signInAs = (who: string) => context.request.post('/api/session', { data: { email: `${who}@engawa.example` }, headers });

  await page.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await write(page, '佐藤の言葉');
  await expect(message(page, '佐藤の言葉').getByRole('alert')).toBeVisible();
  await page.close();

  // Somebody else has signed in meanwhile, and nothing goes in their name.
  await signInAs('suzuki');
  page = await onTheWire(context);
  await write(page, '鈴木の言葉');
  await expect(message(page, '鈴木の言葉').locator('time')).toBeVisible();
  await expect(message(page, '佐藤の言葉')).toHaveCount(0);
  await page.close();

  // The member is back, and so is what they have sent.
  await signInAs('sato');
  page = await onTheWire(context);
  await expect(message(page, '佐藤の言葉').locator('time')).toBeVisible();
  await page.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await write(page, '書いて出ていく');
  await expect(message(page, '書いて出ていく').getByRole('alert')).toBeVisible();
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(2);
  await page.goto('/logout');
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  // Suzuki has not.
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(1);
  await page.unroute('**/api/v1/messages');
  await signInAs('sato');
  await page.goto('/');
  await department(page, room).click();
  await write(page, '戻りました');
  await expect(message(page, '戻りました').locator('time')).toBeVisible();
  await expect(message(page, '書いて出ていく')).toHaveCount(0);
  expect(await kept(context, product, room, /佐藤の言葉|鈴木の言葉|書いて出ていく|戻りました/)).toEqual([
    '鈴木の言葉',
    '佐藤の言葉',
    '戻りました',
  ]);
});

test('[R2.1, R4.8.2] whoever has messages that are not sent is asked before they sign out, and nothing goes by Enter alone', async ({
  browser,
  product,
}) => {
  const context = await signedInContext(browser, { ...product, url: wire.url }, 'sato@engawa.example');
  const page = await onTheWire(context);
  await context.route('**/api/v1/messages', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  for (const text of ['出る前に1', '出る前に2']) await write(page, text);
  await expect(message(page, '出る前に1').getByRole('alert')).toBeVisible();
  // The same from a tab that has sent nothing.
  const other = await onTheWire(context);
  await expect(message(other, '出る前に2')).toBeVisible();
  await rail(other, '設定').click();
  const logout = other.getByRole('link', { name: 'ログアウト' });
  await logout.focus();
  await other.keyboard.press('Enter');
  const question = other.getByRole('dialog', { name: 'ログアウト' });
  await expect(question).toContainText('まだ送られていないメッセージが 2 件あります。ログアウトすると消えます。');
  await expect(question.getByRole('button', { name: 'キャンセル' })).toBeFocused();
  await other.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(logout).toBeFocused();
  await expect(message(other, '出る前に1')).toBeVisible();

  // Without a network nobody is signed out, and nothing is lost.
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

test('[R2.1, R8.4] without a network nobody is signed out: the page says so and stays, and with it the way out', async ({
  browser,
  product,
}) => {
  const context = await signedInContext(browser, { ...product, url: wire.url }, 'suzuki@engawa.example');
  const page = await onTheWire(context);
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
