import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { type Author, authorOf } from './author.ts';
import { atRest, expectStill, type Frame, movement, open, openAt, textOf, watch, wheel } from './messageList.ts';
import { expect, type Product, withStory } from './product.ts';
import { field, fileInput, header, message, rail, sendButton, settingStored, streamRow } from './screen.ts';

const reader = 'tanaka@engawa.example';
const writer = 'sato@engawa.example';
const stream = '長い物語';
const storyLength = 110;

interface Story {
  readonly product: Product;
  readonly author: Author;
  /** Message ids by number in the story. */
  readonly ids: ReadonlyMap<number, number>;
  /** Adds messages to the story. */
  append(count: number): Promise<void>;
  newest(): number;
}

const test = withStory(async (product): Promise<Story> => {
  const author = await authorOf(product, writer);
  await author.createStream(stream, [reader, writer]);
  const ids = new Map<number, number>();
  const append = async (count: number) => {
    const end = ids.size + count;
    while (ids.size < end) ids.set(ids.size + 1, await author.send(stream, textOf(ids.size + 1)));
  };
  await append(storyLength);
  return { product, author, ids, append, newest: () => ids.size };
});

const below = (line: Locator) =>
  line.evaluate((element) => element.closest('div:has(> article)')?.querySelector('article')?.textContent);
const toNewest = (page: Page) => page.getByRole('button', { name: /^最新のメッセージへ/ });
const beginning = (page: Page) => page.getByRole('separator', { name: /はじまりました$/ });
/** The row with exactly this number. */
const row = (page: Page, number: number) => message(page, `第${number}話`);
const floatingDate = (page: Page) => page.locator('[data-shown][aria-hidden]');
const olderPages = /\/messages\?.*anchor=\d/;
const lines = (count: number) => Array.from({ length: count }, (_, line) => `行${line}`).join('\n');

async function heldBack(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** The frames painted during an action. */
async function during(page: Page, action: () => Promise<unknown>): Promise<readonly Frame[]> {
  const stop = await watch(page);
  await action();
  await atRest(page);
  return stop();
}

async function scrolledUp(browser: Browser, story: Story, options?: BrowserContextOptions): Promise<Page> {
  const page = await openAt(browser, story.product, reader, stream, options);
  await wheel(page, -300, 7);
  await atRest(page);
  return page;
}

/** Pixels between the newest row and the lower edge of the list. */
function gapBelow({ rows, window }: Frame): number {
  return window.bottom - (rows.at(-1)?.bottom ?? NaN);
}

test.describe('Older messages', () => {
  test('[R9.2] No message moves when older messages load while the reader is not scrolling', async ({ browser, story }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const letGo = await heldBack(page, olderPages);
    await wheel(page, -500);
    await atRest(page);
    await expect(page.getByText('前のメッセージを読み込んでいます…')).toBeVisible();
    const arrived = page.waitForResponse(olderPages);
    const frames = await during(page, async () => {
      letGo();
      await (await arrived).finished();
      await expect(page.getByText('前のメッセージを読み込んでいます…')).toBeHidden();
    });
    expectStill(frames);
  });

  test('[R9.2] The message list scrolls exactly as far as the wheel turns while older messages load', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    let pages = 0;
    page.on('response', (response) => void (olderPages.test(response.url()) && (pages += 1)));
    const frames = await during(page, () => wheel(page, -160, 30));
    const { least, sum } = movement(frames);
    expect(pages).toBeGreaterThan(0);
    expect(least).toBeGreaterThanOrEqual(-1);
    expect(Math.abs(sum - 30 * 160)).toBeLessThanOrEqual(1);
  });

  test('[R9.2] The message list scrolled to the first message stays there when the composer or the window changes size', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    await page.getByRole('log').focus();
    await expect(async () => {
      await page.keyboard.press('Home');
      await expect(beginning(page)).toBeInViewport({ timeout: 500 });
    }).toPass();
    await expect(row(page, 1).first()).toBeInViewport();
    await atRest(page);
    await field(page).fill(lines(5));
    await atRest(page);
    expectStill(await during(page, () => field(page).fill('')));
    const resized = await during(page, async () => {
      await page.setViewportSize({ width: 1440, height: 600 });
      await atRest(page);
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    expectStill(resized);
  });
});

test.describe('A reader who has scrolled up', () => {
  test('[R2.20.1, R4.5, R4.10] No message moves when messages arrive while the reader has scrolled up, and a button counts the arrived messages', async ({
    browser,
    story,
  }) => {
    const page = await scrolledUp(browser, story);
    const frames = await during(page, async () => {
      await story.append(3);
      await expect(toNewest(page)).toHaveAccessibleName('最新のメッセージへ 新着 3 件');
    });
    expectStill(frames);
    await toNewest(page).click();
    await expect(row(page, story.newest())).toBeInViewport({ ratio: 1 });
    await expect(toNewest(page)).toBeHidden();
    // R2.20.1: the divider is above messages that arrived while the reader had scrolled up, not above those read on arrival.
    await story.append(1);
    await expect(row(page, story.newest())).toBeInViewport({ ratio: 1 });
    const line = page.getByRole('separator', { name: '新着メッセージ' });
    expect(await below(line)).toContain(`第${story.newest() - 3}話`);
  });

  test('[R4.10] No visible message moves when a message above or below the window changes its height', async ({
    browser,
    story,
  }) => {
    const page = await scrolledUp(browser, story);
    const [seen] = await during(page, () => Promise.resolve());
    for (const number of [(seen?.rows.at(0)?.number ?? 0) - 1, (seen?.rows.at(-1)?.number ?? 0) + 1]) {
      for (const content of [`第${number}話 ${lines(20)}`, textOf(number)]) {
        const frames = await during(page, async () => {
          await story.author.edit(story.ids.get(number) ?? 0, content);
          await expect(row(page, number).getByText('行19')).toHaveCount(content.includes('行19') ? 1 : 0);
        });
        expectStill(frames);
      }
    }
  });

  test('[R2.12, R4.10] No message moves when the composer grows or shrinks while the reader has scrolled up', async ({
    browser,
    story,
  }) => {
    const page = await scrolledUp(browser, story);
    expectStill(await during(page, () => field(page).fill(lines(12))));
    expectStill(await during(page, () => field(page).fill('')));
  });

  test('[R4.10] The first visible message keeps its position when the window changes its size', async ({ browser, story }) => {
    const page = await scrolledUp(browser, story);
    for (const height of [500, 1000, 900]) {
      expectStill(await during(page, () => page.setViewportSize({ width: 1440, height })));
    }
    // In a narrow window rows are higher, so only the first row that begins inside keeps its position.
    for (const width of [960, 1440]) {
      const frames = await during(page, () => page.setViewportSize({ width, height: 900 }));
      const [before, after] = [frames.at(0), frames.at(-1)];
      const first = before?.rows.find(({ top }) => top >= before.window.top);
      const now = after?.rows.find(({ number }) => number === first?.number);
      expect(Math.abs((now?.top ?? NaN) - (first?.top ?? NaN))).toBeLessThanOrEqual(1);
    }
  });

  test('[R2.14, R2.25.1, R4.10] The first visible message keeps its position when the member chooses the compact density', async ({
    browser,
    story,
  }) => {
    const page = await scrolledUp(browser, story);
    const grouped = page.getByRole('log').locator('[data-grouped]');
    await expect(grouped).toHaveCount(0);
    await rail(page, '設定').click();
    const frames = await during(page, async () => {
      await page.getByRole('radio', { name: 'コンパクト' }).check();
      await expect(grouped.first()).toBeVisible();
    });
    const [before, after] = [frames.at(0), frames.at(-1)];
    const first = before?.rows.find(({ top }) => top >= before.window.top);
    const now = after?.rows.find(({ number }) => number === first?.number);
    expect(Math.abs((now?.top ?? NaN) - (first?.top ?? NaN))).toBeLessThanOrEqual(1);
    const stored = settingStored(page);
    await page.getByRole('radio', { name: '標準' }).check();
    await expect(grouped).toHaveCount(0);
    await stored;
  });

  test('[R2.14] A floating label shows the day of the visible messages while the reader scrolls', async ({ browser, story }) => {
    const page = await openAt(browser, story.product, reader, '雑談・縁側');
    const { product } = story;
    const newest = story.ids.get(story.newest()) ?? 0;
    // Pretends that the messages were sent six hours apart.
    await page.route(`${product.url}/api/v1/messages?*`, async (route) => {
      const answer = await route.fetch();
      const page: { messages: { id: number; timestamp: number }[] } = await answer.json();
      const first = story.ids.get(1) ?? 0;
      const messages = page.messages.map((each) =>
        each.id < first ? each : { ...each, timestamp: 1_700_000_000 - (newest - each.id) * 21_600 },
      );
      await route.fulfill({ response: answer, json: { ...page, messages } });
    });
    await page.reload();
    await open(page, stream);
    await wheel(page, -300, 3);
    // The floating date disappears after scrolling, so both are read in one step.
    let looked = { shown: '', under: '' };
    await expect(async () => {
      await wheel(page, -300);
      looked = await floatingDate(page).evaluateAll(([date]) => {
        const top = (document.querySelector('[role=log]')?.getBoundingClientRect().top ?? 0) + 44;
        const rows = Array.from(document.querySelectorAll('article'));
        const over = rows.findLast((each) => each.getBoundingClientRect().top <= top);
        return { shown: date?.textContent ?? '', under: over?.querySelector('time')?.title ?? '' };
      });
      expect(looked.shown).toMatch(/^2023年11月1\d日/);
    }).toPass();
    expect(looked.under.slice(0, looked.shown.length)).toBe(looked.shown);
    await expect(floatingDate(page)).toBeHidden();
  });

  test('[R2.14] The floating label does not cover the divider at the start of a conversation', async ({ browser, story }) => {
    const page = await scrolledUp(browser, story);
    await page.getByRole('log').focus();
    await expect(async () => {
      await page.keyboard.press('Home');
      await expect(beginning(page)).toBeInViewport({ timeout: 500 });
    }).toPass();
    await atRest(page);
    // Without waiting: the label hides by itself some time after the scrolling.
    expect(await floatingDate(page).count()).toBe(0);
    await wheel(page, 300);
    await expect(floatingDate(page)).toBeVisible();
  });
});

test.describe('A reader at the end', () => {
  test('[R2.12, R4.10] The message list stays at its newest message when the composer grows or the window changes its size', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const [atFirst] = await during(page, () => Promise.resolve());
    const gap = atFirst ? gapBelow(atFirst) : NaN;
    const changes = [
      () => field(page).fill(lines(12)),
      () => field(page).fill(''),
      () => page.setViewportSize({ width: 1440, height: 500 }),
      () => page.setViewportSize({ width: 960, height: 900 }),
      () => page.setViewportSize({ width: 1440, height: 900 }),
    ];
    for (const change of changes) {
      const frames = await during(page, change);
      expect(Math.max(...frames.map((frame) => Math.abs(gapBelow(frame) - gap)))).toBeLessThanOrEqual(1);
      expect(frames.at(-1)?.rows.at(-1)?.number).toBe(story.newest());
    }
  });

  test('[R4.10] The message list at its end shows each arriving message at once, whatever its height', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const frames = await during(page, async () => {
      await story.append(9);
      await expect(row(page, story.newest())).toBeInViewport({ ratio: 1 });
    });
    const gaps = frames.map(gapBelow);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
  });

  test('[R2.14] A divider is shown above the new messages until the reader leaves the stream', async ({ browser, story }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const line = page.getByRole('separator', { name: '新着メッセージ' });
    await open(page, '雑談・縁側');
    const first = story.newest() + 1;
    await story.append(3);
    await expect(streamRow(page, stream)).toContainText('[3]');
    await open(page, stream);
    await expect(streamRow(page, stream)).not.toContainText('[');
    await expect(line).toBeInViewport();
    expect(await below(line)).toContain(`第${first}話`);
    await story.append(1);
    await expect(row(page, story.newest())).toBeInViewport();
    await expect(line).toHaveCount(1);
    await open(page, '雑談・縁側');
    await open(page, stream);
    await expect(line).toHaveCount(0);
  });
});

test.describe('A stream that is opened again', () => {
  const other = '雑談・縁側';

  test('[R4.10] Its rows are still there and it shows the newest message, although it was left further up', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const newest = row(page, story.newest());
    await newest.evaluate((element) => element.setAttribute('data-test', 'kept'));
    await wheel(page, -300, 2);
    await expect(newest).not.toBeInViewport();
    await open(page, other);
    await expect(newest).toHaveCount(0);
    await open(page, stream);
    await expect(newest).toBeInViewport({ ratio: 1 });
    await expect(newest).toHaveAttribute('data-test', 'kept');
  });

  test('[R2.20.1, R4.6] It shows the messages that arrived and the edits, and its messages stay unread until then', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const edited = story.newest();
    await open(page, other);
    await story.author.edit(story.ids.get(edited) ?? 0, `第${edited}話 書き直しました`);
    await open(page, stream);
    await expect(message(page, '書き直しました')).toBeInViewport({ ratio: 1 });
    await open(page, other);
    await story.append(1);
    await expect(streamRow(page, stream)).toContainText('[1]');
    // Longer than a visible message stays unread.
    await page.waitForTimeout(3000);
    await expect(streamRow(page, stream)).toContainText('[1]');
    await open(page, stream);
    await expect(row(page, story.newest())).toBeInViewport({ ratio: 1 });
    await expect(streamRow(page, stream)).not.toContainText('[');
  });

  test('[R2.2] Back to a list, beside which another stream is open, moves the focus from the left messages to the field', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, other);
    await rail(page, 'ストリーム').click();
    await open(page, stream);
    await row(page, story.newest()).focus();
    await page.goBack();
    await expect(header(page)).toHaveText(other);
    await expect(field(page)).toBeFocused();
  });
});

test('[R2.17, R4.10] No message moves when a picture above or below the window loads late', async ({ browser, story }) => {
  const pictures = '図入りの話';
  await story.author.createStream(pictures, [reader, writer]);
  const painter = await openAt(browser, story.product, writer, stream);
  await rail(painter, 'ストリーム').click();
  await streamRow(painter, pictures).click();
  const buffer = Buffer.from(await painter.screenshot());
  const paint = async (name: string) => {
    await fileInput(painter).setInputFiles({ name, mimeType: 'image/png', buffer });
    await sendButton(painter).click();
    await expect(message(painter, name).locator('time')).toBeVisible();
  };
  const append = async (from: number, to: number) => {
    for (let number = from; number <= to; number += 1) await story.author.send(pictures, `第${number}話 ${lines(3)}`);
  };
  await append(1, 4);
  await paint('上の図.png');
  await append(5, 12);
  await paint('下の図.png');
  await append(13, 16);

  const page = await openAt(browser, story.product, reader, stream);
  const letGo = await heldBack(page, '**/api/storage/**');
  await rail(page, 'ストリーム').click();
  await streamRow(page, pictures).click();
  await page.getByRole('log', { name: pictures }).press('End');
  await expect(message(page, '第16話')).toBeInViewport();
  await wheel(page, -170, 5);
  await atRest(page);
  const image = (name: string) => message(page, name).locator('img[loading]');
  const names = ['上の図.png', '下の図.png'];
  const isThere = (name: string) =>
    image(name).evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0);
  for (const name of names) {
    expect(await isThere(name)).toBe(false);
    await expect(image(name)).not.toBeInViewport();
  }
  const frames = await during(page, async () => {
    letGo();
    for (const name of names) await expect.poll(() => isThere(name)).toBe(true);
  });
  expectStill(frames);
});

test.describe('The list by keyboard', () => {
  test('[R4.10, R9.2] PageUp, PageDown, Home and End scroll the message list, which keeps the focus', async ({
    browser,
    story,
  }) => {
    const page = await openAt(browser, story.product, reader, stream);
    const log = page.getByRole('log');
    await log.focus();
    const up = await during(page, () => page.keyboard.press('PageUp'));
    const height = (up[0]?.window.bottom ?? 0) - (up[0]?.window.top ?? 0);
    const { sum } = movement(up);
    expect(sum).toBeGreaterThan(height * 0.7);
    expect(sum).toBeLessThan(height);
    const down = await during(page, () => page.keyboard.press('PageDown'));
    expect(Math.abs(movement(down).sum + sum)).toBeLessThanOrEqual(1);
    await expect(toNewest(page)).toBeHidden();
    await expect(async () => {
      await page.keyboard.press('Home');
      await expect(row(page, story.newest())).toHaveCount(0, { timeout: 500 });
    }).toPass();
    await expect(log).toBeFocused();
    await page.keyboard.press('End');
    await expect(row(page, story.newest())).toBeInViewport({ ratio: 1 });
  });

  test('[R9.2] The message list takes the focus when the row with the focused link is scrolled away and removed', async ({
    browser,
    story,
  }) => {
    await story.author.send(stream, 'https://engawa.example/物語');
    const page = await openAt(browser, story.product, reader, stream);
    const link = page.getByRole('log').getByRole('link', { name: /物語/ }).last();
    await link.focus();
    await expect(link).toBeFocused();
    await expect(async () => {
      await wheel(page, -400, 12);
      await expect(link).toHaveCount(0, { timeout: 500 });
    }).toPass();
    await expect(page.getByRole('log')).toBeFocused();
  });
});

test('[R4.6, R4.10] A stream that fits the window marks a new message as read, also after Home and PageUp were pressed', async ({
  browser,
  story,
}) => {
  const short = '短い物語';
  await story.author.createStream(short, [reader, writer]);
  await story.author.send(short, 'https://engawa.example/短編');
  const page = await openAt(browser, story.product, reader, short);
  await page.getByRole('log').getByRole('link', { name: /短編/ }).focus();
  for (const key of ['Home', 'PageUp']) await page.keyboard.press(key);
  await story.author.send(short, 'あとがき');
  await expect(message(page, 'あとがき')).toBeInViewport();
  await expect(toNewest(page)).toBeHidden();
  await expect(streamRow(page, short)).not.toContainText('[');
});

test('[R4.10] Selected text stays selected when another message arrives', async ({ browser, story }) => {
  const page = await openAt(browser, story.product, reader, stream);
  await story.append(3);
  const [from, to] = [story.newest() - 2, story.newest() - 1];
  await expect(row(page, story.newest())).toBeInViewport();
  const place = async (number: number, part: number) => {
    const box = await row(page, number).getByText(`第${number}話`).first().boundingBox();
    return { x: (box?.x ?? 0) + 6, y: (box?.y ?? 0) + (box?.height ?? 0) * part };
  };
  const [start, end] = [await place(from, 0.2), await place(to, 0.9)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x + 60, end.y, { steps: 5 });
  await page.mouse.up();
  const selected = () => page.evaluate(() => getSelection()?.toString() ?? '');
  const before = await selected();
  expect(before).toContain(`第${to}話`);
  await story.append(2);
  await expect(row(page, story.newest())).toBeInViewport();
  expect(await selected()).toBe(before);
});

test('[R4.5, R4.10] No message moves when messages arrive while the reader has scrolled up and prefers reduced motion', async ({
  browser,
  story,
}) => {
  const page = await scrolledUp(browser, story, { reducedMotion: 'reduce' });
  const frames = await during(page, async () => {
    await story.append(3);
    await expect(toNewest(page)).toHaveAccessibleName('最新のメッセージへ 新着 3 件');
  });
  expectStill(frames);
});
