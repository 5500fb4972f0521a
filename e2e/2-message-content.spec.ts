import type { Browser, Locator, Page } from '@playwright/test';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { pngHeader } from '../packages/server/src/testing/images.ts';
import { authorOf } from './author.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, type Product, signedInPage, signIn, test } from './product.ts';
import {
  arrived,
  department,
  field,
  fileInput,
  hold,
  message,
  painted,
  rail,
  resize,
  sendButton,
  settingStored,
  write,
} from './screen.ts';

const highlighter = '**/*highlighter*.js';
const files = '**/api/storage/temp/*';

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const landscape = png(640, 400, (x) => (x < 320 ? [44, 106, 84] : [232, 193, 112]));
const picture = (page: Page, name: string): Locator => message(page, name).getByRole('img', { name, exact: true });

async function sendFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await fileInput(page).setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await sendButton(page).click();
}

/** The top and height of each row. */
function places(page: Page): Promise<readonly string[]> {
  return page.getByRole('article').evaluateAll((rows) =>
    rows.map((row) => {
      const { y, height } = row.getBoundingClientRect();
      return `${y} ${height}`;
    }),
  );
}

const isLoaded = (image: HTMLImageElement): boolean => image.complete && image.naturalWidth > 0;

/** In pixels: the widest line of a bubble, and the rest of the bubble's width. */
function widths(row: Locator) {
  return row
    .locator('p')
    .last()
    .evaluate((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const lines = [...range.getClientRects()];
      const line = Math.max(...lines.map(({ right }) => right)) - Math.min(...lines.map(({ left }) => left));
      return { line, unused: paragraph.getBoundingClientRect().width - line };
    });
}

/** A bubble that fits its text. The settings leave less room for the chat than the other lists. */
async function bubbleBesideSettings(browser: Browser, product: Product, text: string) {
  const page = await signIn(browser, product, 'sato@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await rail(page, '設定').click();
  await write(page, text);
  const row = message(page, text);
  await expect.poll(async () => (await widths(row)).unused).toBeLessThan(1);
  return { page, row };
}

test('[R2.14] A bubble is as wide as the widest line of its text, also in a wider chat and after an edit', async ({
  browser,
  product,
}) => {
  const { page, row } = await bubbleBesideSettings(browser, product, 'word '.repeat(100).trim());
  const { line } = await widths(row);
  await rail(page, 'ストリーム').click();
  await expect.poll(async () => (await widths(row)).line).toBeGreaterThan(line + 20);
  expect((await widths(row)).unused).toBeLessThan(1);

  await arrived(row);
  const id = Number(await row.getAttribute('data-key'));
  const author = await authorOf(product, 'sato@engawa.example');
  const edited = page.locator(`article[data-key="${id}"]`);
  for (const text of ['一言', 'longer-word '.repeat(60).trim()]) {
    await author.edit(id, text);
    await expect(edited).toContainText(text);
    expect((await widths(edited)).unused).toBeLessThan(1);
  }
});

test('[R2.14] A bubble fits its text again after a change of the language, which changes where lines break', async ({
  browser,
  product,
}) => {
  const text = '来週の定例ですが、会議室の都合で時間を三十分ずらしたいと思います。ご都合の悪い方はいらっしゃいますか。';
  const { page, row } = await bubbleBesideSettings(browser, product, text.repeat(2));
  for (const language of ['English', '日本語']) {
    const { line } = await widths(row);
    const stored = settingStored(page);
    await page.getByRole('radio', { name: language }).check();
    await expect.poll(async () => (await widths(row)).line).not.toBe(line);
    expect((await widths(row)).unused).toBeLessThan(1);
    await stored;
  }
});

test.describe('Code', () => {
  test('[R5.3.1] Syntax colours appear without moving the code, and the block names its language', async ({
    browser,
    product,
  }) => {
    const page = await signedInPage(browser, product, 'sato@engawa.example');
    const release = await hold(page, highlighter);
    await page.goto('/');
    await department(page, 'プロダクト開発部').click();
    await write(page, `前の行\n${fenced('ts', "const 挨拶 = 'こんにちは'; // 注\nreturn `${1}`;")}\n後の行`);
    const code = message(page, '挨拶').locator('pre');
    await expect(code).toHaveText("const 挨拶 = 'こんにちは'; // 注\nreturn `${1}`;");
    await expect(message(page, '挨拶')).toContainText('TypeScript');
    await arrived(message(page, '挨拶'));
    const before = await places(page);
    const width = await code.evaluate((element) => element.getBoundingClientRect().width);
    await expect(code.locator('span')).toHaveCount(0);

    release();
    await expect(code.locator('span', { hasText: 'const' })).toBeVisible();
    await expect(code).toHaveText("const 挨拶 = 'こんにちは'; // 注\nreturn `${1}`;");
    expect(await places(page)).toEqual(before);
    expect(await code.evaluate((element) => element.getBoundingClientRect().width)).toBeCloseTo(width, 0);
    const colours = await code.locator('span').evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color));
    expect(new Set(colours).size).toBeGreaterThan(2);
    await checkScreen(page, '44b chat, code');
  });

  test('[R5.3.1] Code stays without colours if the highlighter cannot be fetched, and the page does not fetch it again', async ({
    browser,
    product,
  }) => {
    const page = await signedInPage(browser, product, 'suzuki@engawa.example');
    let tried = 0;
    await page.route(highlighter, (route) => {
      tried += 1;
      return route.abort();
    });
    await page.goto(product.url);
    await department(page, 'プロダクト開発部').click();
    for (const name of ['いち', 'に', 'さん']) await write(page, fenced('sql', `SELECT '接続なし${name}'`));
    await expect(message(page, '接続なしさん')).not.toContainText('送信中');
    await expect(message(page, '接続なしさん').locator('pre')).toHaveText("SELECT '接続なしさん'");
    await expect(message(page, '接続なしさん').locator('pre span')).toHaveCount(0);
    expect(tried).toBe(1);
  });

  test('[R5.3.1] The page does not load the highlighter for code without a known language', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(request.url()));
    await department(page, 'デザイン室').click();
    await write(page, fenced('', 'npm ci'));
    await write(page, fenced('cobol', 'DISPLAY "色なし".'));
    await expect(message(page, '色なし')).toContainText('cobol');
    expect(requests.filter((url) => url.includes('highlighter'))).toEqual([]);
  });

  test('[R5.3.2] A block of code is shown as text, even if it contains HTML', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await department(page, 'デザイン室').click();
    const code = `<img src=x onerror="document.title='乗っ取り'"><script>document.title='乗っ取り'</script>*太字* https://example.com/`;
    await write(page, fenced('html', code));
    const block = message(page, '乗っ取り').locator('pre');
    await expect(block.locator('span').first()).toBeVisible();
    await expect(block).toHaveText(code);
    await expect(block.locator(':not(code, span)')).toHaveCount(0);
    await expect(page).not.toHaveTitle(/乗っ取り/);
  });

  test('[R5.3.1] Code that takes too long to highlight does not block the page, and later code still gets its colours', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ito@engawa.example');
    await department(page, 'デザイン室').click();
    // highlight.js needs more than five seconds for this text.
    await write(page, fenced('md', `${'[a]('.repeat(2400)}長い`));
    await write(page, fenced('ts', 'const 次 = 1;'));
    const longest = await page.evaluate(async () => {
      let most = 0;
      for (let frame = 0, last = performance.now(); frame < 60; frame += 1) {
        await new Promise(requestAnimationFrame);
        most = Math.max(most, performance.now() - last);
        last = performance.now();
      }
      return most;
    });
    expect(longest).toBeLessThan(2000);
    await expect(message(page, '次').locator('pre span').first()).toBeVisible();
    await expect(message(page, '長い').locator('pre span')).toHaveCount(0);
  });

  test('[R5.3.1] A button copies a block of code, and arrow keys scroll its long lines', async ({ browser, product }) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await signIn(browser, product, 'ito@engawa.example', { permissions });
    await department(page, 'デザイン室').click();
    const code = `echo "${'長い行 '.repeat(60)}"\n  終わり`;
    await write(page, fenced('sh', code));
    const sent = message(page, '長い行');
    await arrived(sent);
    await sent.getByRole('button', { name: 'コードをコピー' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'コードをコピーしました。' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);

    await page.keyboard.press('Tab');
    await expect(sent.locator('pre')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => sent.locator('pre').evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  });
});

test.describe('A picture', () => {
  test('[R2.17] The message list reserves the space of a picture before it is loaded, so that nothing moves', async ({
    browser,
    product,
  }) => {
    const sato = await signIn(browser, product, 'sato@engawa.example');
    await department(sato, 'プロダクト開発部').click();
    await write(sato, '写真の前');
    for (const name of ['横長.png', '横長の二枚目.PNG']) {
      await sendFile(sato, name, landscape);
      await expect(message(sato, name).getByRole('link')).toBeVisible();
    }
    await write(sato, '写真の後');
    await expect(message(sato, '写真の後')).not.toContainText('送信中');

    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const reader = await signedInPage(browser, product, 'suzuki@engawa.example');
      const release = await hold(reader, files);
      await reader.goto('/');
      await department(reader, 'プロダクト開発部').click();
      await reader.getByRole('log').press('End');
      await resize(reader, viewport);
      await painted(reader);
      await expect(message(reader, '写真の後')).toBeInViewport();
      await expect(picture(reader, '横長.png')).toHaveJSProperty('naturalWidth', 0);
      const before = await places(reader);
      release();
      await expect.poll(() => picture(reader, '横長.png').evaluate(isLoaded)).toBe(true);
      await expect.poll(() => picture(reader, '横長の二枚目.PNG').evaluate(isLoaded)).toBe(true);
      expect(await places(reader)).toEqual(before);
      await expect(message(reader, '写真の後')).toBeInViewport();
      await reader.close();
    }
  });

  test('[R2.17] The sender sees a picture at once, and it stays in position after the upload', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await department(page, 'デザイン室').click();
    const release = await hold(page, '**/api/api/upload/file');
    let fetched = 0;
    await page.route(files, (route) => {
      fetched += 1;
      return route.continue();
    });
    await sendFile(page, '送る途中.png', landscape);
    await expect.poll(() => picture(page, '送る途中.png').evaluate(isLoaded)).toBe(true);
    await expect(message(page, '送る途中.png')).toContainText('送信中');
    const before = await places(page);
    release();
    await expect(message(page, '送る途中.png').getByRole('link', { name: /ダウンロード/ })).toBeVisible();
    await expect.poll(() => picture(page, '送る途中.png').evaluate(isLoaded)).toBe(true);
    expect(await places(page)).toEqual(before);
    expect(fetched).toBe(0);
  });

  test('[R2.17] A picture has a box of its proportion before it is loaded, within the height of the fixed box', async ({
    browser,
    product,
  }) => {
    const sender = await signIn(browser, product, 'sato@engawa.example');
    await department(sender, 'プロダクト開発部').click();
    const sizes = { '細長.png': [200, 1200], '小.png': [60, 60], '帯.png': [1200, 200] } as const;
    for (const [name, [width, height]] of Object.entries(sizes)) {
      await sendFile(
        sender,
        name,
        png(width, height, () => [44, 106, 84]),
      );
      await expect(message(sender, name).getByRole('link', { name: /ダウンロード/ })).toBeVisible();
    }
    // A message of a client that does not know the size.
    const form = { dstFileName: `${'p'.repeat(20)}.png`, file: { name: '他.png', mimeType: 'image/png', buffer: landscape } };
    const headers = { Origin: product.url };
    expect((await sender.request.post('/api/api/upload/file', { multipart: form, headers })).status()).toBe(200);
    await write(sender, `engawa-file,他.png,${form.dstFileName},${landscape.length}`);
    await expect(picture(sender, '他.png')).toBeVisible();

    const reader = await signIn(browser, product, 'suzuki@engawa.example');
    const release = await hold(reader, files);
    await reader.reload();
    await department(reader, 'プロダクト開発部').click();
    await reader.getByRole('log').press('End');
    await painted(reader);
    await expect(picture(reader, '帯.png')).toHaveJSProperty('naturalWidth', 0);
    const before = await places(reader);
    const box = async (name: string) => (await picture(reader, name).boundingBox()) ?? { width: 0, height: 0 };
    const wide = await box('帯.png');
    expect(wide.width / wide.height).toBeCloseTo(6, 1);
    expect((await box('細長.png')).height).toBe(220);
    expect((await box('小.png')).height).toBe(60);
    expect((await box('他.png')).height).toBe(220);
    release();
    for (const name of ['帯.png', '細長.png', '小.png', '他.png']) {
      await expect.poll(() => picture(reader, name).evaluate(isLoaded)).toBe(true);
    }
    expect(await places(reader)).toEqual(before);
    await checkScreen(reader, '44b3 chat, pictures of several proportions');
    // The sender still has the files, whose sizes are known from the composer.
    expect(await picture(sender, '帯.png').boundingBox()).toMatchObject({ height: wide.height });
  });

  test('[R2.17] A file card replaces a broken or missing picture, and nothing moves', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await department(page, 'デザイン室').click();
    await sendFile(page, '壊れた.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
    await expect(message(page, '壊れた.png')).toContainText('プレビューを表示できません');
    await sendFile(page, '図.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await expect(message(page, '図.svg').getByRole('link')).toBeVisible();
    await expect(message(page, '図.svg').locator('img[alt="図.svg"]')).toHaveCount(0);
    await sendFile(page, '消えた.png', landscape);
    await expect(message(page, '消えた.png').getByRole('link')).toBeVisible();

    const release = await hold(page, files);
    await page.reload();
    await expect(picture(page, '消えた.png')).toHaveJSProperty('naturalWidth', 0);
    await expect(field(page)).toBeVisible();
    await painted(page);
    const before = await places(page);
    release({ status: 404, json: {} });
    for (const name of ['壊れた.png', '消えた.png']) {
      const card = message(page, name);
      await expect(card).toContainText('プレビューを表示できません');
      await expect(card.getByRole('link', { name: new RegExp(`^${name} .* ダウンロード$`) })).toBeVisible();
    }
    expect(await places(page)).toEqual(before);
  });

  test('[R2.17] A picture with too many pixels is not shown, its card says why, and it can be downloaded', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    const other = await signIn(browser, product, 'ito@engawa.example');
    for (const each of [page, other]) await department(each, 'デザイン室').click();
    const answers: { readonly url: string; readonly status: number }[] = [];
    other.on('response', (response) => answers.push({ url: response.url(), status: response.status() }));
    await sendFile(page, '巨大.png', pngHeader(16_000, 16_000));
    const card = message(other, '巨大.png');
    await expect(card).toContainText('画素数が多すぎるため表示できません');
    const ofCard = `message=${await card.getAttribute('data-key')}&as=picture`;
    const statuses = () => [...new Set(answers.filter(({ url }) => url.includes(ofCard)).map(({ status }) => status))];
    await expect.poll(statuses).toEqual([422]);
    await checkScreen(other, '44b2 chat, a picture with too many pixels');
    const download = other.waitForEvent('download');
    await card.getByRole('link').click();
    expect((await download).suggestedFilename()).toBe('巨大.png');
    await sendFile(page, '普通.png', landscape);
    await expect.poll(() => picture(other, '普通.png').evaluate(isLoaded)).toBe(true);
  });

  test('[R2.17] A click on a picture’s file name downloads the picture', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await department(page, 'デザイン室').click();
    await sendFile(page, '開く.png', landscape);
    const card = message(page, '開く.png').getByRole('link');
    const download = page.waitForEvent('download');
    await card.click();
    expect((await download).suggestedFilename()).toBe('開く.png');
  });

  test('[R2.17] An animated picture stands still for members who prefer reduced motion', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'kato@engawa.example', { reducedMotion: 'reduce' });
    await department(page, 'デザイン室').click();
    await sendFile(page, '静止.png', landscape);
    const image = picture(page, '静止.png');
    await expect(image).toHaveCSS('opacity', '0');
    // The row of the arrived message has its own picture element.
    await arrived(message(page, '静止.png'));
    const middle = message(page, '静止.png').locator('canvas');
    await expect.poll(() => middle.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(640);
    const pixel = await middle.evaluate((canvas: HTMLCanvasElement) =>
      Array.from(canvas.getContext('2d')?.getImageData(10, 10, 1, 1).data ?? []),
    );
    expect(pixel).toEqual([44, 106, 84, 255]);
  });
});
