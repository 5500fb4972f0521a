import type { Locator, Page } from '@playwright/test';
import { type Author, authorOf } from './author.ts';
import { inputMethod, orders } from './inputMethod.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, type Product, signIn, withStory } from './product.ts';
import {
  arrived,
  backgroundTasksRun,
  field,
  fileInput,
  header,
  message,
  messages,
  sendButton,
  typeAndEnterAtOnce,
  withoutLayers,
  write,
} from './screen.ts';

const reader = 'tanaka@engawa.example';
const writer = 'sato@engawa.example';
const outsider = 'yoshida@engawa.example';
const stream = '検索の部屋';
const other = '別の部屋';
const hidden = '見えない部屋';

interface Story {
  readonly product: Product;
  readonly author: Author;
  readonly outside: Author;
}

const storyTest = withStory(async (product): Promise<Story> => {
  const author = await authorOf(product, writer);
  const outside = await authorOf(product, outsider);
  await author.createStream(stream, [reader, writer]);
  await author.createStream(other, [reader, writer]);
  await outside.createStream(hidden, [outsider]);
  const texts = [
    '東京都内の売上会議は明日です',
    'ﾐｰﾃｨﾝｸﾞの資料を置きました',
    'ミーティングは三時からです',
    'Ｚｕｌｉｐの設定をしました',
    '髙橋さんに聞いてください',
    '京都支店の見積です',
    'これは*太字*の鮎です',
  ];
  for (const content of texts) await author.send(stream, content);
  await author.send(other, '別の部屋の鮎です');
  await outside.send(hidden, '秘密の鮎です');
  return { product, author, outside };
});

const opener = (page: Page): Locator => page.getByRole('button', { name: 'メッセージを検索', exact: true });
const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'メッセージを検索' });
const query = (page: Page): Locator => panel(page).getByRole('combobox');
const options = (page: Page): Locator => panel(page).getByRole('option');
const option = (page: Page, text: string | RegExp): Locator => options(page).filter({ hasText: text });
const marks = (page: Page): Locator => panel(page).locator('mark');
const status = (page: Page): Locator => panel(page).getByRole('status');
const scope = (page: Page, name: string): Locator => panel(page).getByRole('radio', { name });
const toggle = (page: Page, name: string | RegExp): Locator => panel(page).getByRole('button', { name });

/** Calls the observer only for entries that intersect, with all earlier ones, as the standard allows. */
function delayObservers(): void {
  const Observer = IntersectionObserver;
  window.IntersectionObserver = class extends Observer {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const pending: IntersectionObserverEntry[] = [];
      super((entries, observer) => {
        pending.push(...entries);
        if (entries.at(-1)?.isIntersecting) callback(pending.splice(0), observer);
      }, options);
    }
  };
}

async function openIn(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await query(page).fill(name);
  await option(page, name).first().click();
  await expect(panel(page)).toBeHidden();
  await expect(header(page)).toHaveText(name);
}

/** The reader in the stream, with the open panel. */
async function searching({ product }: Story, browser: Parameters<typeof signIn>[0], options = {}): Promise<Page> {
  const page = await signIn(browser, product, reader, options);
  await openIn(page, stream);
  await opener(page).click();
  await expect(query(page)).toBeFocused();
  await query(page).fill('');
  await expect(scope(page, `「${stream}」内`)).toBeChecked();
  return page;
}

const test = storyTest.extend({
  page: async ({ browser, story }, provide) => provide(await searching(story, browser)),
});

test.describe('Search results', () => {
  const vectors: readonly (readonly [query: string, hits: readonly string[], marked: readonly string[]])[] = [
    ['会議', ['東京都内の売上会議は明日です'], ['会議']],
    ['鮎', ['これは太字の鮎です'], ['鮎']],
    ['みーてぃんぐ', ['ミーティングは三時からです', 'ﾐｰﾃｨﾝｸﾞの資料を置きました'], ['ミーティング', 'ﾐｰﾃｨﾝｸﾞ']],
    ['ﾐｰﾃｨﾝｸﾞ', ['ミーティングは三時からです', 'ﾐｰﾃｨﾝｸﾞの資料を置きました'], ['ミーティング', 'ﾐｰﾃｨﾝｸﾞ']],
    ['zulip', ['Ｚｕｌｉｐの設定をしました'], ['Ｚｕｌｉｐ']],
    ['高橋', ['髙橋さんに聞いてください'], ['髙橋']],
    ['京都', ['京都支店の見積です', '東京都内の売上会議は明日です'], ['京都', '京都']],
    ['明日 売上', ['東京都内の売上会議は明日です'], ['売上', '明日']],
  ];
  test('[R2.9.1, R2.9.2] A search for one or two characters finds and highlights them in any width and kind of kana', async ({
    browser,
    story,
  }) => {
    const page = await searching(story, browser);
    for (const [typed, hits, marked] of vectors) {
      await test.step(typed, async () => {
        await query(page).fill(typed);
        await expect(panel(page).locator('a[role=option]')).toHaveText(hits.map((hit) => new RegExp(hit)));
        await expect(marks(page)).toHaveText(marked);
      });
    }
  });

  test('[R2.9.2] A search finds a message that was just sent, and no deleted message', async ({ page, story }) => {
    await query(page).fill('朝顔');
    await expect(status(page)).toHaveText('見つかりませんでした');
    const id = await story.author.send(stream, '朝顔が咲きました');
    await page.keyboard.press('Escape');
    await opener(page).click();
    await expect(query(page)).toHaveValue('朝顔');
    await expect(option(page, '朝顔が咲きました')).toBeVisible();
    await page.keyboard.press('Escape');
    await story.author.delete(id);
    await opener(page).click();
    await expect(options(page)).toHaveCount(0);
  });

  test('[R2.9.2] A search result disappears when its message is deleted', async ({ page, story }) => {
    const id = await story.author.send(stream, '夕立が来ます');
    await query(page).fill('夕立');
    await expect(option(page, '夕立が来ます')).toBeVisible();
    await story.author.delete(id);
    await expect(options(page)).toHaveCount(0);
  });

  test('[R6.1, R2.9.2] A search finds no messages of a stream that the member may not read', async ({ page, browser, story }) => {
    await scope(page, 'すべての会話').check();
    await query(page).fill('鮎');
    await expect(panel(page).locator('a[role=option]')).toHaveText([/別の部屋の鮎です/, /これは太字の鮎です/]);
    await query(page).fill(hidden);
    await expect(status(page)).toHaveText('見つかりませんでした');
    const outside = await signIn(browser, story.product, outsider);
    await outside.keyboard.press('Control+k');
    await scope(outside, 'すべての会話').check();
    await query(outside).fill('鮎');
    await expect(panel(outside).locator('a[role=option]')).toHaveText([/秘密の鮎です/]);
  });

  test('[R2.9.1] A search loads more results as the reader scrolls', async ({ page, story }) => {
    for (let number = 1; number <= 50; number += 1) await story.author.send(other, `百合の${number}番`);
    await scope(page, 'すべての会話').check();
    await query(page).fill('百合');
    await expect(option(page, '百合の50番')).toBeVisible();
    await expect(option(page, '百合の1番')).toHaveCount(0);
    await panel(page).getByRole('listbox').hover();
    await expect(async () => {
      await page.mouse.wheel(0, 4000);
      await expect(option(page, '百合の1番')).toBeInViewport({ timeout: 200 });
    }).toPass();
    await expect(status(page)).toHaveText('50 件');
  });

  test('[R2.9.1] A search loads older results even if the browser reports late that the end of the list is visible', async ({
    page,
    story,
  }) => {
    for (let number = 1; number <= 50; number += 1) await story.author.send(other, `撫子の${number}番`);
    await page.evaluate(delayObservers);
    await scope(page, 'すべての会話').check();
    await query(page).fill('撫子');
    await panel(page).getByRole('listbox').hover();
    await expect(async () => {
      await page.mouse.wheel(0, 4000);
      await expect(option(page, '撫子の1番')).toBeInViewport({ timeout: 200 });
    }).toPass();
  });

  test('[R2.9.1] A search loads further pages of results while the list is shorter than its window', async ({ page, story }) => {
    for (let number = 1; number <= 50; number += 1) await story.author.send(other, `桔梗の${number}番`);
    await page.setViewportSize({ width: 390, height: 5000 });
    await scope(page, 'すべての会話').check();
    await query(page).fill('桔梗');
    await expect(status(page)).toHaveText('50 件');
  });
});

test.describe('Search conditions', () => {
  test('[R2.9.1] A search covers the open stream, or all conversations if the member chooses so', async ({ page }) => {
    await query(page).fill('鮎');
    await expect(panel(page).locator('a[role=option]')).toHaveText([/これは太字の鮎です/]);
    await scope(page, 'すべての会話').check();
    await expect(panel(page).locator('a[role=option]')).toHaveText([/別の部屋の鮎です/, /これは太字の鮎です/]);
    await query(page).fill('別の部屋の鮎');
    await scope(page, `「${stream}」内`).check();
    await expect(status(page)).toHaveText('見つかりませんでした');
    await checkScreen(page, '73e search, nothing found');
    await toggle(page, 'すべての会話で探す').click();
    await expect(option(page, '別の部屋の鮎です')).toBeVisible();
    await checkScreen(page, '73b search, found');
  });

  test('[R2.9.1] A search is limited to a sender, whom the member finds by reading, with or without search words', async ({
    page,
  }) => {
    await page.keyboard.press('Escape');
    await write(page, 'わたしの鮎です');
    await arrived(message(page, 'わたしの鮎です'));
    await opener(page).click();
    await query(page).fill('鮎');
    await expect(panel(page).locator('a[role=option]')).toHaveCount(2);
    await toggle(page, '送信者').click();
    await expect(query(page)).toBeFocused();
    await checkScreen(page, '73d search, the sender is picked');
    await toggle(page, '送信者').focus();
    await page.keyboard.press('Escape');
    await expect(query(page)).toHaveValue('鮎');
    await expect(query(page)).toBeFocused();
    await toggle(page, '送信者').click();
    await query(page).fill('サトウ');
    await option(page, '佐藤').first().click();
    await expect(toggle(page, /^送信者: 佐藤/)).toHaveAttribute('aria-pressed', 'true');
    await expect(query(page)).toHaveValue('鮎');
    await expect(panel(page).locator('a[role=option]')).toHaveText([/これは太字の鮎です/]);
    await checkScreen(page, '73c search, everywhere, with a file and a sender');
    await toggle(page, '条件を外す').click();
    await expect(panel(page).locator('a[role=option]')).toHaveCount(2);
  });

  test('[R2.9.1] A search finds files by their original names', async ({ page }) => {
    await page.keyboard.press('Escape');
    await write(page, '見積を待っています');
    await fileInput(page).setInputFiles({ name: '鮎の見積,最終.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await sendButton(page).click();
    await expect(message(page, '鮎の見積,最終.txt').getByRole('link')).toBeVisible();
    await opener(page).click();
    await query(page).fill('見積');
    await expect(option(page, '見積を待っています')).toBeVisible();
    await toggle(page, 'ファイルあり').click();
    await expect(panel(page).locator('a[role=option]')).toHaveText([/鮎の見積,最終\.txt/]);
    await expect(marks(page)).toHaveText(['見積']);
    await query(page).fill('');
    await expect(panel(page).locator('a[role=option]')).toHaveText([/鮎の見積,最終\.txt/]);
  });

  test('[R2.9.1, R9.5] A search is limited to a range of days, which begin and end in Japan time', async ({ browser, story }) => {
    const today = new Date(Date.now() + 32_400_000).toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() + 32_400_000 - 86_400_000).toISOString().slice(0, 10);
    const page = await searching(story, browser, { timezoneId: 'America/New_York' });
    await query(page).fill('会議');
    await expect(option(page, '売上会議')).toBeVisible();
    await panel(page).getByLabel('開始日').fill(today);
    await expect(option(page, '売上会議')).toBeVisible();
    await panel(page).getByLabel('開始日').fill(yesterday);
    await panel(page).getByLabel('終了日').fill(yesterday);
    await expect(status(page)).toHaveText('見つかりませんでした');
    await panel(page).getByLabel('終了日').fill(today);
    await expect(option(page, '売上会議')).toBeVisible();
    await toggle(page, '条件を外す').click();
    await expect(panel(page).getByLabel('開始日')).toHaveValue('');
  });

  test('[R2.9.1] The search panel offers streams by name and members by reading', async ({ page }) => {
    await query(page).fill('べつの');
    await query(page).fill('別の部');
    await expect(option(page, other).first()).toHaveAttribute('href', /^#\/stream\/\d+$/);
    await query(page).fill('sato');
    const sato = option(page, '佐藤').first();
    await expect(sato).toContainText('さんのメッセージ');
    await sato.click();
    await expect(query(page)).toHaveValue('');
    await expect(toggle(page, /^送信者: 佐藤/)).toBeVisible();
    await expect(option(page, '売上会議')).toBeVisible();
  });
});

test.describe('Typing in the search', () => {
  test('[R2.9.1, R4.8.1] The search sends no request before a kana conversion is confirmed', async ({ page }) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      const narrow = new URL(request.url()).searchParams.get('narrow') ?? '';
      if (narrow.includes('"search"')) requests.push(narrow);
    });
    const ime = await inputMethod(page);
    await ime.compose('かい');
    await ime.compose('かいぎ');
    await ime.compose('会議');
    await expect(query(page)).toHaveValue('会議');
    await expect(status(page)).not.toHaveText('検索しています…');
    await orders['Chrome and Edge'](ime, 'Enter', () => ime.commit('会議'));
    await expect(option(page, '売上会議')).toBeVisible();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('会議');
    await ime.compose('あ');
    await orders['Chrome and Edge'](ime, 'Escape', () => ime.cancel());
    await expect(panel(page)).toBeVisible();
    await expect(query(page)).toHaveValue('会議');
  });

  test('[R2.9.1] The search panel shows only results of the latest query, and Enter starts a search at once', async ({
    page,
  }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/messages\?.*search/, async (route) => {
      if (decodeURIComponent(route.request().url()).includes('"鮎"')) await promise;
      await route.continue().catch(() => undefined);
    });
    await query(page).fill('鮎');
    await page.keyboard.press('Enter');
    await expect(status(page)).toHaveText('検索しています…');
    await typeAndEnterAtOnce(query(page), '京都');
    await expect(option(page, '京都支店')).toBeVisible();
    resolve();
    await expect(marks(page)).toHaveText(['京都', '京都']);
    await page.keyboard.press('Enter');
    await expect(panel(page).getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  });

  test('[R2.9.1] The search panel offers the last searches until the member clears them', async ({ page }) => {
    await query(page).fill('会議');
    await option(page, '売上会議').click();
    await page.reload();
    await expect(page.getByRole('log')).toBeVisible();
    await opener(page).click();
    await expect(option(page, '会議')).toBeVisible();
    await checkScreen(page, '73h search, recent');
    await option(page, '会議').click();
    await expect(query(page)).toHaveValue('会議');
    await expect(option(page, '売上会議')).toBeVisible();
    await query(page).fill('');
    await toggle(page, '履歴を消す').click();
    await expect(options(page)).toHaveCount(0);
    await expect(status(page)).toContainText('言葉を入れると');
    await checkScreen(page, '73 search');
  });
});

test.describe('Search failures', () => {
  test('[R2.9.1, R8.4] The search panel says why a search failed, and offers to repeat it', async ({ page }) => {
    await page.route(/messages\?.*search/, (route) => route.abort(), { times: 1 });
    await query(page).fill('会議');
    await expect(status(page)).toContainText('サーバーにつながりませんでした');
    await checkScreen(page, '73f search, failed');
    await toggle(page, 'もう一度試す').click();
    await expect(option(page, '売上会議')).toBeVisible();
  });

  test('[R2.9.1] The search panel repeats a search by itself while the server’s index is not ready', async ({ page }) => {
    const json = { result: 'error', code: 'SEARCH_NOT_READY', msg: 'Search is not ready yet. Please try again.' };
    await page.route(/messages\?.*search/, (route) => route.fulfill({ status: 503, json }));
    await query(page).fill('会議');
    await expect(status(page)).toContainText('検索の準備をしています');
    await checkScreen(page, '73g search, not ready');
    await page.unroute(/messages\?.*search/);
    await expect(option(page, '売上会議')).toBeVisible();
  });
});

test.describe('Opening and closing the search', () => {
  test('[R2.9.2] A search result opens its message, and the search panel shows the same results when it opens again', async ({
    page,
    story,
  }) => {
    for (let number = 1; number <= 30; number += 1) await story.author.send(other, `桔梗の${number}番`);
    await scope(page, 'すべての会話').check();
    await query(page).fill('桔梗');
    await expect(option(page, '桔梗の30番')).toBeVisible();
    await panel(page).getByRole('listbox').hover();
    await page.mouse.wheel(0, 900);
    const hit = option(page, '桔梗の12番');
    await hit.scrollIntoViewIfNeeded();
    await hit.click();
    await expect(panel(page)).toBeHidden();
    await expect(header(page)).toHaveText(other);
    await expect(page.locator('[data-marked]')).toContainText('桔梗の12番');
    await expect(message(page, '桔梗の12番')).toBeInViewport();
    await expect(messages(page).filter({ hasText: '桔梗の11番' })).toBeVisible();

    await page.keyboard.press('Control+k');
    await expect(query(page)).toHaveValue('桔梗');
    await expect(scope(page, 'すべての会話')).toBeChecked();
    await expect(option(page, '桔梗の12番')).toBeInViewport();
    await expect(option(page, '桔梗の12番')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-marked]')).toContainText('桔梗の12番');
    await withoutLayers(page);
    await page.goBack();
    await expect(header(page)).toHaveText(stream);
  });

  test('[R2.9] Text typed right after Ctrl+K goes into the search field, not into the composer', async ({ browser, story }) => {
    const page = await signIn(browser, story.product, reader);
    await openIn(page, stream);
    await backgroundTasksRun(page);
    await field(page).press('Control+k');
    await page.keyboard.type('kaigi');
    await expect(query(page)).toHaveValue('kaigi');
    await expect(field(page)).toHaveValue('');
  });

  test('[R2.9, R4.7.2] A member opens the search, chooses a result and closes the search by keyboard alone', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await openIn(page, stream);
    await field(page).fill('書きかけ/');
    await field(page).press('/');
    await expect(field(page)).toHaveValue('書きかけ//');
    await expect(panel(page)).toBeHidden();
    await field(page).press('Control+k');
    await expect(query(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(panel(page)).toBeHidden();
    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveValue('書きかけ//');
    await opener(page).focus();
    await page.keyboard.press('/');
    await expect(query(page)).toBeFocused();
    await query(page).fill('');
    await page.keyboard.insertText('みーてぃんぐ');
    await expect(options(page)).toHaveCount(2);
    const reached = panel(page).locator('[aria-selected=true]');
    await expect(reached).toHaveCount(0);
    await page.keyboard.press('ArrowDown');
    await expect(reached).toContainText('ミーティングは三時からです');
    await page.keyboard.press('ArrowDown');
    await expect(reached).toContainText('ﾐｰﾃｨﾝｸﾞの資料');
    await expect(query(page)).toHaveAttribute('aria-activedescendant', (await reached.getAttribute('id')) ?? '-');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(reached).toHaveCount(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(panel(page)).toBeHidden();
    await expect(page.locator('[data-marked]')).toContainText('ミーティングは三時からです');
    await field(page).fill('');
  });

  test('[R2.9] The shortcuts of the search do nothing while another dialog is open', async ({ browser, story }) => {
    const page = await signIn(browser, story.product, reader);
    await page.getByRole('button', { name: '音声通話' }).click();
    await expect(page.getByRole('dialog', { name: '音声通話' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('/');
    await expect(panel(page)).toBeHidden();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(panel(page)).toBeVisible();
  });

  test('[R2.21, R2.9] The search panel fills the screen of a phone, and a result opens the chat', async ({ browser, story }) => {
    const page = await signIn(browser, story.product, reader);
    await openIn(page, stream);
    await page.setViewportSize({ width: 390, height: 844 });
    await opener(page).click();
    await expect.poll(() => panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    await query(page).fill('会議');
    await option(page, '売上会議').click();
    await expect(page.locator('[data-marked]')).toContainText('売上会議');
    await expect(field(page)).toBeVisible();
  });
});
