import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInPage, signIn, test } from './product.ts';
import {
  department,
  field,
  fileInput,
  hold,
  unsentStored,
  message,
  messages,
  scriptsOnDemand,
  sendButton,
  write,
} from './screen.ts';

const uploads = '**/api/api/upload/file';
const stored = '**/api/storage/temp/*';

const text = (name: string, content = '内容') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
const picture = (name: string, width = 1600, height = 1200) => ({
  name,
  mimeType: 'image/png',
  buffer: png(width, height, (x, y) => [44 + (x * 160) / width, 106 + (y * 80) / height, 110]),
});

const chips = (page: Page): Locator => page.getByRole('list', { name: '送るファイル' }).getByRole('listitem');
const hint = (page: Page, said: string): Locator => page.getByRole('status').filter({ hasText: said });
const cards = (page: Page): Locator => messages(page).getByRole('link', { name: /ダウンロード$/ });
const undo = (page: Page): Locator => page.getByRole('button', { name: '元に戻す' });
const dialog = (page: Page): Locator => page.getByRole('dialog').last();
const opener = (page: Page, name: string): Locator => page.getByRole('log').getByRole('button', { name: `${name} を大きく表示` });

async function inStream(page: Page, name: string): Promise<void> {
  await department(page, name).click();
  await expect(field(page)).toBeVisible();
}

async function send(page: Page, ...files: readonly { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await fileInput(page).setInputFiles([...files]);
  await sendButton(page).click();
}

async function sent(page: Page, ...files: readonly { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await send(page, ...files);
  for (const { name } of files) {
    await expect(
      message(page, name)
        .getByRole('link', { name: /ダウンロード$/ })
        .last(),
    ).toBeVisible();
  }
}

/** Limits the upload speed of a page. */
async function networkOf(page: Page) {
  const browser = await page.context().newCDPSession(page);
  /** Bytes per second; -1 is unlimited. */
  return (uploadThroughput = -1) =>
    browser.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
}

/** Dispatches touches of one or more fingers. */
async function fingersOn(page: Page) {
  const browser = await page.context().newCDPSession(page);
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly { x: number; y: number }[]) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
}

test.describe('Several files', () => {
  test('[R2.13, R3.3.1] Several chosen files are sent as one message each, after the text of the composer', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    const reader = await signIn(browser, product, 'sato@engawa.example');
    for (const each of [page, reader]) await inStream(each, 'プロダクト開発部');
    await field(page).fill('資料を三つ送ります');
    await fileInput(page).setInputFiles([text('三.txt'), text('一.txt'), text('要らない.txt')]);
    await expect(field(page)).toBeHidden();
    await fileInput(page).setInputFiles(text('二.txt', 'x'.repeat(2048)));
    await expect(chips(page)).toHaveText([/三\.txt6\.0 B/, /一\.txt/, /要らない\.txt/, /二\.txt2\.0 K/]);
    await expect(hint(page, '4 件・合計 2.0 K')).toBeVisible();
    await expect(hint(page, '書きかけの文章は、ファイルの前に送られます')).toBeVisible();
    await page.getByRole('button', { name: '要らない.txt を外す' }).click();
    await expect(chips(page)).toHaveCount(3);
    await page.keyboard.press('Enter');
    for (const each of [page, reader]) {
      await expect(cards(each).last()).toHaveAccessibleName(/^二\.txt/);
      await expect(messages(each)).toContainText(['資料を三つ送ります', '三.txt', '一.txt', '二.txt']);
    }
    await expect(field(page)).toHaveValue('');
    await expect(field(page)).toBeFocused();
  });

  test('[R2.13, R8.4] The composer refuses more than ten files, and names files over the size limit and keeps the text', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await inStream(page, 'デザイン室');
    await fileInput(page).setInputFiles(Array.from({ length: 12 }, (_, index) => text(`資料${index + 1}.txt`)));
    await expect(chips(page)).toHaveCount(10);
    await expect(page.getByRole('alert')).toContainText('一度に送れるファイルは 10 件までです。残りの 2 件は添付していません。');
    await page.keyboard.press('Escape');
    await expect(field(page)).toBeFocused();
    await field(page).fill('これと一緒に');
    await fileInput(page).evaluate((input: HTMLInputElement) => {
      const large = ['巨大.zip', '動画.mp4'].map((name) => new File([new Uint8Array(1)], name));
      for (const file of large) Object.defineProperty(file, 'size', { value: 100 * 1024 * 1024 + 1 });
      Object.defineProperty(input, 'files', { value: [...large, new File(['内容'], '普通.txt')], configurable: true });
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await expect(
      page.getByRole('alert').filter({ hasText: '「巨大.zip」「動画.mp4」は大きすぎて添付できません。100.0 M まで' }),
    ).toBeVisible();
    await expect(chips(page)).toHaveText([/普通\.txt/]);
    await page.getByRole('button', { name: '普通.txt を外す' }).click();
    await expect(field(page)).toHaveValue('これと一緒に');
  });

  test('[R2.13] The chip of an attachment shows a short file name completely', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await inStream(page, 'デザイン室');
    const names = ['空.txt', 'a .txt', 'i.md', 'README'];
    await fileInput(page).setInputFiles(names.map((name) => text(name)));
    for (const [index, name] of names.entries()) {
      const parts = chips(page).nth(index).getByTitle(name).locator('bdi');
      await expect(parts).toHaveCount(2);
      const cut = await parts.evaluateAll((each) => each.map((part) => part.scrollWidth - part.clientWidth));
      expect(cut, name).toEqual([0, 0]);
    }
  });

  test('[R4.7.2] Escape removes all chosen files from the composer, and the undo button restores them', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await inStream(page, 'デザイン室');
    await field(page).fill('本文');
    await fileInput(page).setInputFiles([text('一.txt'), text('二.txt')]);
    await page.keyboard.press('Escape');
    await expect(chips(page)).toHaveCount(0);
    await expect(field(page)).toHaveValue('');
    await undo(page).click();
    await expect(chips(page)).toHaveText([/一\.txt/, /二\.txt/]);
    for (const name of ['一.txt', '二.txt']) await page.getByRole('button', { name: `${name} を外す` }).click();
    await expect(field(page)).toHaveValue('本文');
  });
});

test.describe('An upload', () => {
  test('[R4.8.2] An upload shows its progress, and other members never receive a cancelled upload', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    const reader = await signIn(browser, product, 'sato@engawa.example');
    for (const each of [page, reader]) await inStream(each, 'プロダクト開発部');
    const sendBytesPerSecond = await networkOf(page);
    await sendBytesPerSecond(200_000);
    await send(page, { name: '取り消す.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4_000_000) });
    const bar = message(page, '取り消す.bin').getByRole('progressbar', { name: '取り消す.bin の送信' });
    const value = () => bar.evaluate((element: HTMLProgressElement) => element.value);
    await expect.poll(value).toBeGreaterThan(0);
    expect(await value()).toBeLessThan(1);
    const broken = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/upload/file'));
    await page.getByRole('button', { name: '取り消す.bin の送信を取り消す' }).click();
    // The notice stays while the pointer is over it.
    await undo(page).hover();
    expect((await broken).failure()?.errorText).toContain('ABORTED');
    await expect(message(page, '取り消す.bin')).toHaveCount(0);
    await write(page, '取り消しました');
    await expect(message(reader, '取り消しました')).toBeVisible();
    await expect(message(reader, '取り消す.bin')).toHaveCount(0);

    await sendBytesPerSecond();
    await undo(page).click();
    await expect(message(reader, '取り消す.bin')).toHaveCount(1);
    await expect(message(page, '取り消す.bin').getByRole('link', { name: /ダウンロード$/ })).toHaveCount(1);
  });

  test('[R4.8.2] Uploads wait until the network is back, and then each file arrives once and in order', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    const reader = await signIn(browser, product, 'sato@engawa.example');
    for (const each of [page, reader]) await inStream(each, 'プロダクト開発部');
    await page.context().setOffline(true);
    await send(page, text('途切れ一.txt'), text('途切れ二.txt'), text('途切れ三.txt'));
    await expect(message(page, '途切れ一.txt').getByRole('alert')).toContainText('サーバーにつながりませんでした');
    await expect(message(page, '途切れ二.txt')).toContainText('送信待ち');
    await page.context().setOffline(false);
    for (const each of [page, reader]) {
      await expect(message(each, '途切れ').getByRole('link', { name: /ダウンロード$/ })).toHaveCount(3);
      await expect(message(each, '途切れ')).toContainText(['途切れ一.txt', '途切れ二.txt', '途切れ三.txt']);
    }
    const content = await fetched(page, message(page, '途切れ二.txt'));
    expect(content.body.toString()).toBe('内容');
  });

  test('[R4.8.2] A file is sent only once although the response to its upload was lost', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    await inStream(page, 'プロダクト開発部');
    let lost = 0;
    await page.route(uploads, async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await send(page, text('一度だけ.txt'));
    await expect(message(page, '一度だけ.txt').getByRole('link', { name: /ダウンロード$/ })).toBeVisible();
    await page.reload();
    await expect(message(page, '一度だけ.txt')).toHaveCount(1);
  });

  test('[R4.8.2, R8.4] An upload continues after a reload; without browser storage, the page asks before it is left', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await inStream(page, 'デザイン室');
    await hold(page, uploads);
    await send(page, text('届く前.txt'));
    await expect(message(page, '届く前.txt')).toContainText('送信中');
    await checkScreen(page, '48b chat, files on their way');
    await page.unroute(uploads);
    await unsentStored(page);
    await page.reload();
    await expect(message(page, '届く前.txt').getByRole('link', { name: /ダウンロード$/ })).toBeVisible();

    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('forbidden', 'SecurityError');
      };
    });
    await page.reload();
    const release = await hold(page, uploads);
    await send(page, text('残せない.txt'));
    await expect(message(page, '残せない.txt')).toContainText('送信中');
    const asking = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asking;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    release();
    await expect(message(page, '残せない.txt').getByRole('link', { name: /ダウンロード$/ })).toBeVisible();
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
  });
});

test.describe('The large view of a picture', () => {
  test('[R2.17] The keyboard opens the large view of a picture, shows the next picture, zooms, and closes it', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await inStream(page, 'デザイン室');
    await sent(page, picture('一枚目.png'), text('間の文書.txt'), picture('二枚目.png', 64, 64), picture('三枚目.png'));
    await checkScreen(page, '44c chat, pictures');
    await opener(page, '二枚目.png').focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('heading', { name: '二枚目.png' })).toBeVisible();
    await expect(dialog(page)).toContainText('伊藤');
    const image = dialog(page).getByRole('img');
    await expect(image).toBeVisible();
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(64);

    await page.keyboard.press('ArrowLeft');
    await expect(dialog(page).getByRole('heading', { name: '一枚目.png' })).toBeVisible();
    const percent = dialog(page).getByRole('toolbar').getByRole('status');
    await expect(percent).toHaveText(/^[1-9]\d%$/);
    await checkScreen(page, '44c2 chat, a picture large');
    await page.keyboard.press('1');
    await expect(percent).toHaveText('100%');
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(1600);
    const before = await image.boundingBox();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await image.boundingBox())?.x).toBeLessThan(before?.x ?? 0);
    await expect(dialog(page).getByRole('heading', { name: '一枚目.png' })).toBeVisible();
    await page.keyboard.press('0');
    await expect(percent).not.toHaveText('100%');
    await page.keyboard.press('+');
    await checkScreen(page, '44c3 chat, a picture zoomed');
    await dialog(page).getByRole('button', { name: '全体を表示' }).click();
    await expect(dialog(page).getByRole('button', { name: '縮小' })).toHaveAttribute('aria-disabled', 'true');

    await page.mouse.move(720, 450);
    await page.mouse.wheel(0, -400);
    await expect(dialog(page).getByRole('button', { name: '縮小' })).toHaveAttribute('aria-disabled', 'false');
    await dialog(page).getByRole('button', { name: '次の画像' }).click();
    await dialog(page).getByRole('button', { name: '次の画像' }).click();
    await expect(dialog(page).getByRole('heading', { name: '三枚目.png' })).toBeVisible();
    await expect(dialog(page).getByRole('button', { name: '次の画像' })).toHaveAttribute('aria-disabled', 'true');
    const download = page.waitForEvent('download');
    await dialog(page).getByRole('link', { name: 'ダウンロード' }).click();
    expect((await download).suggestedFilename()).toBe('三枚目.png');

    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(opener(page, '二枚目.png')).toBeFocused();
  });

  test('[R2.17] The large view says that a picture cannot be shown, and closes when its message is deleted', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    const other = await signIn(browser, product, 'kato@engawa.example');
    for (const each of [page, other]) await inStream(each, 'デザイン室');
    await sent(other, text('壊れている.png', '<svg onload="alert(1)"/>'));
    await opener(page, '壊れている.png').click();
    await expect(dialog(page).getByRole('alert')).toHaveText('この画像は表示できません。ダウンロードして確かめてください。');
    await checkScreen(page, '44c4 chat, a picture that is broken');
    await deleteMessage(other, '壊れている.png');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('[R2.17] On a phone, a tap opens the large view of a picture, two fingers zoom, and a swipe shows the next picture', async ({
    browser,
    product,
  }) => {
    const sender = await signIn(browser, product, 'ito@engawa.example');
    await inStream(sender, 'デザイン室');
    await sent(sender, picture('縦の一.png', 600, 400), picture('縦の二.png', 600, 400));
    const page = await signIn(browser, product, 'kato@engawa.example', {
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    await department(page, 'デザイン室').tap();
    await opener(page, '縦の二.png').tap();
    await expect(dialog(page).getByRole('heading', { name: '縦の二.png' })).toBeVisible();
    const image = dialog(page).getByRole('img');
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(390);

    const touch = await fingersOn(page);
    await touch('touchStart', { x: 180, y: 400 }, { x: 210, y: 400 });
    await touch('touchMove', { x: 120, y: 400 }, { x: 270, y: 400 });
    await touch('touchEnd');
    await expect.poll(async () => (await image.boundingBox())?.width).toBeGreaterThan(600);
    await dialog(page).getByRole('button', { name: '全体を表示' }).tap();
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(390);

    await touch('touchStart', { x: 100, y: 400 });
    await touch('touchMove', { x: 200, y: 405 });
    await touch('touchMove', { x: 300, y: 405 });
    await touch('touchEnd');
    await expect(dialog(page).getByRole('heading', { name: '縦の一.png' })).toBeVisible();
    await expect(image).toBeVisible();
    await page.touchscreen.tap(195, 150);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('[R2.17] A tap opens the large view of a picture even before the message tools are loaded', async ({
    browser,
    product,
  }) => {
    const sender = await signIn(browser, product, 'ito@engawa.example');
    await inStream(sender, 'デザイン室');
    await sent(sender, picture('急ぎの一枚.png', 600, 400));
    const telephone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
    const page = await signedInPage(browser, product, 'kato@engawa.example', telephone);
    const onDemand = await scriptsOnDemand(page);
    const release = await hold(page, onDemand);
    const requested = page.waitForRequest((request) => onDemand(new URL(request.url())));
    await page.goto('/');
    await department(page, 'デザイン室').tap();
    await requested;
    await opener(page, '急ぎの一枚.png').tap();
    release();
    await expect(dialog(page).getByRole('img')).toBeVisible();
    await dialog(page).getByRole('button', { name: '閉じる' }).tap();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('[R2.17] The page fetches a picture above the preview limit only when the member asks for it', async ({
    browser,
    product,
  }) => {
    const sender = await signIn(browser, product, 'ito@engawa.example');
    await inStream(sender, 'デザイン室');
    const { buffer } = picture('巨大.png', 60, 60);
    // Bytes after the end of a picture are ignored.
    await sent(sender, { name: '巨大.png', mimeType: 'image/png', buffer: Buffer.concat([buffer, Buffer.alloc(11_000_000)]) });
    const page = await signIn(browser, product, 'kato@engawa.example');
    const fetched: (string | null)[] = [];
    await page.route(stored, (route) => {
      fetched.push(new URL(route.request().url()).searchParams.get('message'));
      return route.continue();
    });
    await inStream(page, 'デザイン室');
    await expect(message(page, '巨大.png')).toContainText('大きな画像です。押すと表示します');
    const id = await message(page, '巨大.png').getAttribute('data-key');
    expect(fetched).not.toContain(id);
    await opener(page, '巨大.png').click();
    await expect(dialog(page).getByRole('img')).toBeVisible();
    expect(fetched.filter((each) => each === id)).toHaveLength(1);
  });
});

async function deleteMessage(page: Page, name: string): Promise<void> {
  const row = message(page, name);
  await row.hover();
  await row.getByRole('button', { name: 'その他', exact: true }).click();
  await page.getByRole('menuitem', { name: '削除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '削除' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function openFiles(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'その他の操作' }).first().click();
  await page.getByRole('menuitem', { name: 'プロフィールを表示' }).click();
  await dialog(page).getByRole('radio', { name: 'ファイル' }).click();
  return dialog(page).getByRole('list', { name: 'ファイルの一覧' }).getByRole('listitem');
}

test.describe('The files of a stream', () => {
  test('[R2.17] The list of files shows the newest first, is searched by name, and links to the messages', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    await inStream(page, 'プロダクト開発部');
    await sent(page, text('ミツモリ書.txt'), picture('写真.png'), text('契約書.pdf'));
    const files = await openFiles(page);
    await expect(files.nth(0)).toContainText('契約書.pdf');
    await expect(files.nth(1)).toContainText('写真.png');
    await expect(files.nth(2)).toContainText('鈴木 健太');
    const tools = [files.nth(0).locator('a svg').last(), files.nth(1).locator('a svg').last()];
    const [ofFile, ofPicture] = await Promise.all(tools.map((tool) => tool.evaluate((icon) => icon.getBoundingClientRect().x)));
    expect(ofFile, 'each row is downloaded at the same place').toBe(ofPicture);
    await checkScreen(page, '71b stream files');
    const filter = dialog(page).getByRole('searchbox', { name: 'ファイル名で絞り込む' });
    await filter.fill('ﾐﾂﾓﾘ');
    await expect(files).toHaveCount(1);
    await expect(files).toContainText('ミツモリ書.txt');
    await filter.fill('どこにもない');
    await expect(dialog(page)).toContainText('一致するファイルはありません');
    await checkScreen(page, '71c stream files, none of that name');
    await filter.fill('');
    await files
      .nth(1)
      .getByRole('button', { name: /^写真\.png .* を大きく表示$/ })
      .click();
    await expect(dialog(page).getByRole('img', { name: '写真.png' })).toBeVisible();
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await files
      .nth(0)
      .getByRole('link', { name: /^契約書\.pdf .* ダウンロード$/ })
      .click();
    expect((await download).suggestedFilename()).toBe('契約書.pdf');
    await files.filter({ hasText: 'ミツモリ書.txt' }).getByRole('button', { name: 'ミツモリ書.txt のメッセージへ' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(message(page, 'ミツモリ書.txt')).toBeInViewport();
  });

  test('[R2.17, R2.15] The open list of files adds new files and removes the files of deleted messages', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    const other = await signIn(browser, product, 'sato@engawa.example');
    for (const each of [page, other]) await inStream(each, 'プロダクト開発部');
    await sent(other, text('前からある.txt'));
    const files = await openFiles(page);
    await expect(files.nth(0)).toContainText('前からある.txt');
    await sent(other, text('いま届いた.txt'));
    await expect(files.nth(0)).toContainText('いま届いた.txt');
    await deleteMessage(other, '前からある.txt');
    await deleteMessage(other, 'いま届いた.txt');
    await expect(files.filter({ hasText: /前からある|いま届いた/ })).toHaveCount(0);
  });

  test('[R2.17] The list of files shows 20 files, and a button loads more', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    await inStream(page, '開発本部');
    for (let batch = 0; batch < 3; batch += 1) {
      await send(page, ...Array.from({ length: 8 }, (_, index) => text(`議事録${batch}-${index}.txt`)));
      await expect(message(page, `議事録${batch}-7.txt`).getByRole('link', { name: /ダウンロード$/ })).toBeVisible();
    }
    const files = await openFiles(page);
    await expect(files).toHaveCount(20);
    await dialog(page).getByRole('button', { name: 'さらに表示' }).click();
    await expect(files.filter({ hasText: '議事録0-0.txt' })).toHaveCount(1);
    await expect(files.filter({ hasText: '議事録' })).toHaveCount(24);
  });
});

/** The response to a member who follows the link of a file card. */
async function fetched(page: Page, row: Locator) {
  const address = await row
    .getByRole('link', { name: /ダウンロード$/ })
    .first()
    .getAttribute('href');
  const answer = await page.context().request.get(address ?? '');
  return { body: await answer.body(), headers: answer.headers(), address: address ?? '' };
}

test.describe('File names', () => {
  test('[R2.16, R2.17, R3.3.1] The chip, the card and the download show a file name with composed kana and without direction marks', async ({
    browser,
    product,
  }, testInfo) => {
    const page = await signIn(browser, product, 'suzuki@engawa.example');
    const reader = await signIn(browser, product, 'sato@engawa.example');
    for (const each of [page, reader]) await inStream(each, 'プロダクト開発部');
    const names = [
      ['カ\u3099イト\u3099.txt', 'ガイド.txt'],
      ['見積,最終.xlsx', '見積,最終.xlsx'],
      ['😀.pdf', '😀.pdf'],
      ['請求\u202egpj.exe', '請求_gpj.exe'],
    ] as const;
    for (const [given, shown] of names) {
      await fileInput(page).setInputFiles({ ...text(given), buffer: Buffer.from(shown) });
      await expect(page.getByRole('button', { name: `${shown} を外す` })).toBeVisible();
      await sendButton(page).click();
      const card = message(reader, shown).getByRole('link', { name: /ダウンロード$/ });
      await expect(card).toHaveAccessibleName(new RegExp(`^${shown} `));
      await expect(card).toHaveAttribute('download', shown);
      const coming = reader.waitForEvent('download');
      await card.click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe(shown);
      await download.saveAs(testInfo.outputPath('saved'));
      expect(readFileSync(testInfo.outputPath('saved'), 'utf8')).toBe(shown);
      const { headers } = await fetched(reader, message(reader, shown));
      expect(headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent(shown)}`);
    }
  });

  test('[R2.16] A long file name is shortened so that its extension stays visible', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    await inStream(page, 'デザイン室');
    await sent(page, text(`請求書.pdf${' '.repeat(80)}とても長い名前のファイル.exe`));
    const card = message(page, '請求書.pdf').getByRole('link');
    const end = card.getByText('.exe', { exact: true });
    await expect(end).toBeVisible();
    const [inner, outer] = [await end.boundingBox(), await card.boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
  });
});

const canary = 'canary-was-here';
const script = `document.title='${canary}';fetch('/${canary}');new Image().src='/${canary}';`;
const harmful: readonly (readonly [name: string, content: string])[] = [
  ['頁.html', `<!doctype html><title>x</title><script>${script}</script><img src=x onerror="${script}">`],
  ['絵.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`],
  ['頁.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script>${script}</script></head></html>`],
  ['頁.xml', `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${script}</x:script>`],
  ['多.gif', `GIF89a/*\x01\0\x01\0*/=1;${script}//<script>${script}</script>`],
  ['動.js', script],
  ['書類.pdf.html', `%PDF-1.7\n<html><script>${script}</script></html>`],
  ['無.', `<script>${script}</script>`],
];

test.describe('Harmful files', () => {
  test('[R3.3.2, R5.3.2] A harmful file runs no script when opened by address or click, in a frame, as a script or as a style sheet', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    const requests: string[] = [];
    page.context().on('request', (request) => {
      if (request.url().includes(canary)) requests.push(request.url());
    });
    await inStream(page, 'デザイン室');
    await sent(
      page,
      ...harmful.map(([name, content]) => ({ name, mimeType: 'text/html', buffer: Buffer.from(content, 'latin1') })),
    );
    const victim = await page.context().newPage();
    await victim.goto('/');
    await expect(field(victim).or(department(victim, 'デザイン室')).first()).toBeVisible();

    const addresses: string[] = [];
    for (const [name] of harmful) {
      const { address, headers } = await fetched(page, message(page, name));
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-disposition']).toMatch(/^attachment;/);
      expect(headers['content-type']).not.toMatch(/html|xml|svg|script|text\//);

      const saved = victim.waitForEvent('download');
      await expect(victim.goto(address)).rejects.toThrow(/Download is starting/);
      await saved;
      const clicked = page.waitForEvent('download');
      await message(page, name)
        .getByRole('link', { name: /ダウンロード$/ })
        .click();
      await clicked;
      addresses.push(address);
    }
    await victim.goto('/');
    await expect(department(victim, 'デザイン室')).toBeVisible();
    const refused = await victim.evaluate(async (sources) => {
      // Trusted Types accept only scripts of the build.
      const refusals = sources.filter((source) => {
        try {
          document.createElement('script').src = source;
          return false;
        } catch (error) {
          return error instanceof TypeError;
        }
      });
      const parts = sources.flatMap((source) => [
        Object.assign(document.createElement('link'), { href: source, rel: 'stylesheet' }),
        Object.assign(document.createElement('img'), { src: source }),
      ]);
      const settled = parts.map((part) => {
        const { promise, resolve } = Promise.withResolvers<unknown>();
        for (const event of ['load', 'error']) part.addEventListener(event, resolve);
        return promise;
      });
      document.body.append(...parts);
      await Promise.all(settled);
      document.body.append(...sources.map((source) => Object.assign(document.createElement('iframe'), { src: source })));
      return refusals;
    }, addresses);
    expect(refused).toEqual(addresses);
    await expect.poll(() => victim.frames().length).toBeGreaterThan(harmful.length);
    expect(await victim.title()).not.toBe(canary);
    expect(await page.title()).not.toBe(canary);
    expect(requests).toEqual([]);
  });
});
