import type { Locator, Page } from '@playwright/test';
import { type Author, authorOf } from './author.ts';
import { atRest, expectStill, movement, open, readAll, textOf, watch, wheel } from './messageList.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, type Product, signIn, signedInContext, withStory } from './product.ts';
import { header, message, messages, rail, streamRow, write } from './screen.ts';

const reader = 'tanaka@engawa.example';
const writer = 'sato@engawa.example';
const stream = '遠い話';
const storyLength = 200;

interface Story {
  readonly product: Product;
  readonly author: Author;
  readonly streamId: number;
  /** Message ids by number in the story. */
  readonly ids: readonly number[];
}

const test = withStory(async (product, browser): Promise<Story> => {
  const author = await authorOf(product, writer);
  await author.createStream(stream, [reader, writer]);
  const ids = [0];
  while (ids.length <= storyLength) ids.push(await author.send(stream, textOf(ids.length)));
  const streamId = await author.streamId(stream);
  const context = await signedInContext(browser, product, reader);
  await readAll(context.request, product, stream);
  await context.close();
  return { product, author, streamId, ids };
});

const row = (page: Page, number: number) => message(page, `第${number}話`);
const marked = (page: Page) => page.locator('[data-marked]');
const toNewest = (page: Page) => page.getByRole('button', { name: /^最新のメッセージへ/ });
const address = ({ streamId, ids }: Story, number: number) => `#/stream/${streamId}/message/${ids[number]}`;

async function follow(page: Page, to: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), to);
}

/** Pixels between the middle of the row and the middle of the list. */
async function offCentre(page: Page, of: Locator): Promise<number> {
  const [list, element] = [await page.getByRole('log').boundingBox(), await of.boundingBox()];
  if (!list || !element) return Infinity;
  return Math.abs(list.y + list.height / 2 - (element.y + element.height / 2));
}

/** The first row that begins inside the window, and its top. */
function firstVisible(page: Page): Promise<{ readonly number: string; readonly top: number } | undefined> {
  return page.getByRole('log').evaluate((log) => {
    const { top: edge } = log.getBoundingClientRect();
    const places = [...log.querySelectorAll('article')].map((article) => ({
      number: /第\d+話/.exec(article.textContent)?.[0] ?? '',
      top: article.getBoundingClientRect().top - edge,
    }));
    return places.find(({ top }) => top >= 0);
  });
}

async function expectFirstVisible(page: Page, place: Awaited<ReturnType<typeof firstVisible>>): Promise<void> {
  await expect.poll(async () => (await firstVisible(page))?.number).toBe(place?.number);
  await atRest(page);
  const now = await firstVisible(page);
  expect(now?.number).toBe(place?.number);
  expect(Math.abs((now?.top ?? Infinity) - (place?.top ?? 0))).toBeLessThanOrEqual(1);
}

async function expectInTheMiddle(page: Page, number: number): Promise<void> {
  await expect(marked(page).filter({ hasText: `第${number}話` })).toBeVisible();
  await atRest(page);
  // The highlight may have ended by now.
  expect(await offCentre(page, row(page, number))).toBeLessThan(40);
}

test.describe('A stream opened at a message', () => {
  test('[R2.2] A message link opens the stream with the message in the middle and highlights the message for a moment', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await page.goto(`/${address(story, 100)}`);
    await page.reload();
    await expect(header(page)).toHaveText(stream);
    await expectInTheMiddle(page, 100);
    await expect(marked(page)).toHaveCount(0);
    await expect(row(page, 100)).toBeInViewport();
  });

  test('[R2.2] A message link scrolls to a message far from or near to the visible messages, which a screen reader announces', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await open(page, stream);
    await follow(page, address(story, 40));
    await expect(page.getByText(/佐藤.*のメッセージに移動しました。第40話/)).toBeAttached();
    await expectInTheMiddle(page, 40);
    await follow(page, address(story, 44));
    await expectInTheMiddle(page, 44);
    await follow(page, address(story, 190));
    await expectInTheMiddle(page, 190);
  });

  test('[R2.2] A message link opens the stream at its first message, or at its newest', async ({ browser, story }) => {
    const page = await signIn(browser, story.product, reader);
    await follow(page, address(story, 1));
    await expect(marked(page)).toContainText('第1話');
    await expect(row(page, 1).first()).toBeInViewport();
    await follow(page, address(story, storyLength));
    await expect(marked(page)).toContainText(`第${storyLength}話`);
    await expect(row(page, storyLength)).toBeInViewport();
    await checkScreen(page, '49h opened at a message');
  });

  test('[R9.2] Newer messages load as the reader scrolls down from an old message, and the visible messages do not jump', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await follow(page, address(story, 100));
    await expectInTheMiddle(page, 100);
    let pages = 0;
    page.on('response', (response) => void (/num_before=0/.test(response.url()) && (pages += 1)));
    const stop = await watch(page);
    await wheel(page, 160, 60);
    await atRest(page);
    const { most, sum } = movement(await stop());
    expect(pages).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(1);
    expect(Math.abs(sum + 60 * 160)).toBeLessThanOrEqual(1);
    await expect(async () => {
      await wheel(page, 2000, 3);
      await expect(row(page, storyLength)).toBeInViewport({ timeout: 300 });
    }).toPass();
    await expect(toNewest(page)).toBeHidden();
  });

  test('[R9.2] No visible message moves when a page of newer messages arrives below', async ({ browser, story }) => {
    const page = await signIn(browser, story.product, reader);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/num_before=0/, async (route) => {
      await promise;
      await route.continue();
    });
    await follow(page, address(story, 100));
    await expectInTheMiddle(page, 100);
    await page.getByRole('log').focus();
    await page.keyboard.press('End');
    await expect(row(page, 125)).toBeInViewport();
    await atRest(page);
    const arrived = page.waitForResponse(/num_before=0/);
    const stop = await watch(page);
    resolve();
    await (await arrived).finished();
    await atRest(page);
    expectStill(await stop());
  });

  test('[R4.6, R4.10] After a link to an old message, a new message stays unread until the reader presses the button to the newest', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await open(page, stream);
    await rail(page, 'ストリーム').click();
    await expect(streamRow(page, stream)).not.toContainText('[');
    await follow(page, address(story, 50));
    await expectInTheMiddle(page, 50);
    const stop = await watch(page);
    await story.author.send(stream, '下に書きました');
    await expect(streamRow(page, stream)).toContainText('[1]');
    await atRest(page);
    expectStill(await stop());
    await page.getByRole('log').focus();
    await page.keyboard.press('End');
    await expect(message(page, '下に書きました')).toHaveCount(0);

    await toNewest(page).click();
    await expect(message(page, '下に書きました')).toBeInViewport();
    await expect(streamRow(page, stream)).not.toContainText('[');
    await expect(toNewest(page)).toBeHidden();
  });

  test('[R4.8.2] After a member sends a message while reading old ones, the list shows the sent message at the end of the stream', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await follow(page, address(story, 50));
    await expectInTheMiddle(page, 50);
    await write(page, '遠くから書きました');
    await expect(message(page, '遠くから書きました')).toBeInViewport();
    await expect(messages(page).last()).toContainText('遠くから書きました');
  });

  test('[R2.2] After Back from a message link, the browser’s Forward shows the linked message in the middle, not highlighted', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await rail(page, 'ストリーム').click();
    await streamRow(page, 'プロダクト開発部').click();
    await expect(header(page)).toHaveText('プロダクト開発部');
    await follow(page, address(story, 100));
    await expectInTheMiddle(page, 100);
    await page.goBack();
    await expect(header(page)).toHaveText('プロダクト開発部');
    await page.goForward();
    await expect(row(page, 100)).toBeInViewport();
    await atRest(page);
    expect(await offCentre(page, row(page, 100))).toBeLessThan(40);
    expect(await marked(page).count()).toBe(0);
  });

  test('[R2.2] The browser’s Back from a message link returns to the messages that were visible before', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await open(page, stream);
    await wheel(page, -400, 12);
    await atRest(page);
    const left = await firstVisible(page);
    for (const number of [20, 190]) {
      await follow(page, address(story, number));
      await expectInTheMiddle(page, number);
      await page.goBack();
      await expectFirstVisible(page, left);
    }
    await page.goForward();
    await expect(row(page, 190)).toBeInViewport();
    await page.goBack();
    await expectFirstVisible(page, left);

    await rail(page, '組織').click();
    await follow(page, address(story, 20));
    await expectInTheMiddle(page, 20);
    await page.goBack();
    await expectFirstVisible(page, left);
    await rail(page, 'ストリーム').click();
    await expectFirstVisible(page, left);
  });

  test('[R2.2] The browser’s Back to a stream restores its scroll position, and opening the stream from the list does not', async ({
    browser,
    story,
  }) => {
    const page = await signIn(browser, story.product, reader);
    await open(page, stream);
    await wheel(page, -400, 12);
    await atRest(page);
    const left = await firstVisible(page);
    await streamRow(page, 'プロダクト開発部').click();
    await expect(header(page)).toHaveText('プロダクト開発部');
    await page.goBack();
    await expect(header(page)).toHaveText(stream);
    await expectFirstVisible(page, left);
    await streamRow(page, 'プロダクト開発部').click();
    await expect(header(page)).toHaveText('プロダクト開発部');
    await streamRow(page, stream).click();
    await expect(header(page)).toHaveText(stream);
    await expect(messages(page).last()).toBeInViewport();
    await expect(toNewest(page)).toBeHidden();
  });
});

test('[R2.2] A link to a deleted message opens the stream and shows that the message was not found', async ({
  browser,
  story,
}) => {
  const page = await signIn(browser, story.product, reader);
  await follow(page, `#/stream/${story.streamId}/message/999999999`);
  await expect(page.getByRole('alert')).toHaveText('そのメッセージは見つかりません。削除されたか、閲覧できなくなっています。');
  await expect(header(page)).toHaveText(stream);
  await expect(messages(page).last()).toBeInViewport();
});
