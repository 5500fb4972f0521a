/** The messages of a stream, and their positions in each painted frame. */
import { type APIRequestContext, type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { type Product, signedInPage } from './product.ts';
import { header, rail, streamRow } from './screen.ts';

/** A message of varying height. Its number identifies its row in a `Frame`. */
export function textOf(number: number): string {
  const sentence = '縁側で話すように、仕事の相談も気軽に書ける場所にしたいと思います。';
  return `第${number}話 ${sentence.repeat((number * 7) % 6)}${'\n行'.repeat(number % 9 === 0 ? 6 : 0)}`;
}

/** Opens the stream at its newest message. */
export async function openAt(
  browser: Browser,
  product: Product,
  email: string,
  stream: string,
  options?: BrowserContextOptions,
): Promise<Page> {
  const page = await signedInPage(browser, product, email, options);
  await readAll(page.request, product, stream);
  await page.goto('/');
  await expect(page.getByRole('log')).toBeVisible();
  await open(page, stream);
  return page;
}

/** Marks the stream as read, because it would otherwise open at the first unread message. */
export async function readAll(request: APIRequestContext, { url }: Product, stream: string): Promise<void> {
  const narrow = JSON.stringify([{ operator: 'stream', operand: stream }]);
  const params = { anchor: 'newest', num_before: '5000', num_after: '0', narrow };
  const answer = await request.get('/api/v1/messages', { params });
  const { messages }: { messages: readonly { readonly id: number }[] } = await answer.json();
  const form = { messages: JSON.stringify(messages.map(({ id }) => id)), op: 'add', flag: 'read' };
  expect((await request.post('/api/v1/messages/flags', { form, headers: { Origin: url } })).status()).toBe(200);
}

export async function open(page: Page, stream: string): Promise<void> {
  await rail(page, 'ストリーム').click();
  await streamRow(page, stream).click();
  await expect(header(page)).toHaveText(stream);
  await expect(page.getByRole('article').last()).toBeInViewport();
  await atRest(page);
}

/** Waits until the list has not scrolled for 12 frames. */
export async function atRest(page: Page): Promise<void> {
  await page.getByRole('log').evaluate(async (log) => {
    for (let still = 0, place = ''; still < 12; still += 1) {
      await new Promise((painted) => requestAnimationFrame(painted));
      const now = `${log.scrollTop} of ${log.scrollHeight}`;
      if (now !== place) still = 0;
      place = now;
    }
  });
}

/** Turns the wheel once per frame. */
export async function wheel(page: Page, pixels: number, turns = 1): Promise<void> {
  await page.getByRole('log').hover();
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, pixels);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
  }
}

/** Positions of the rows in one painted frame, in pixels from the top of the screen. */
export interface Frame {
  /** Milliseconds. */
  readonly time: number;
  readonly window: { readonly top: number; readonly bottom: number };
  /** Visible messages, oldest first. */
  readonly rows: readonly { readonly number: number; readonly top: number; readonly bottom: number }[];
}

/**
 * Records frames until the returned function is called. An IntersectionObserver reports positions at the end of a
 * frame, after corrections in the same frame.
 */
export async function watch(page: Page): Promise<() => Promise<readonly Frame[]>> {
  const watching = await page.getByRole('log').evaluateHandle(async (log) => {
    const frames: Frame[] = [];
    let goesOn = true;
    const look = () => {
      const observer = new IntersectionObserver((entries) => {
        observer.disconnect();
        // Under load one callback may contain several frames, in any order.
        const time = entries[0]?.time ?? 0;
        const seen = entries.filter((entry) => entry.time === time);
        const window = seen.find(({ target }) => target === log)?.boundingClientRect;
        if (!window) return;
        const rows = seen
          .map(({ target, boundingClientRect: { top, bottom } }) => {
            const [, number] = target === log ? [] : (/第(\d+)話/.exec(target.textContent) ?? []);
            return { number: Number(number ?? 0), top, bottom };
          })
          .filter(({ number, top, bottom }) => number > 0 && bottom > window.top && top < window.bottom);
        frames.push({ time, window: { top: window.top, bottom: window.bottom }, rows });
      });
      for (const element of [log, ...log.querySelectorAll('article')]) observer.observe(element);
      if (goesOn) requestAnimationFrame(look);
    };
    const more = async (count: number) => {
      for (const end = frames.length + count; frames.length < end;) {
        await new Promise((painted) => requestAnimationFrame(painted));
      }
    };
    requestAnimationFrame(look);
    await more(1);
    return {
      async stop() {
        await more(2);
        goesOn = false;
        return frames.toSorted((one, other) => one.time - other.time);
      },
    };
  });
  return () => watching.evaluate((watched) => watched.stop());
}

/** The movement of rows between frames: the smallest and largest of any row, and the sum for the first row. */
export function movement(frames: readonly Frame[]): { readonly least: number; readonly most: number; readonly sum: number } {
  const moves = frames.slice(1).map(({ rows }, index) => {
    const before = new Map(frames[index]?.rows.map(({ number, top }) => [number, top]));
    return rows.flatMap(({ number, top }) => top - (before.get(number) ?? NaN)).filter((move) => !Number.isNaN(move));
  });
  expect(moves.length, 'some frames were painted').toBeGreaterThan(2);
  expect(
    moves.every((ofFrame) => ofFrame.length > 0),
    'each frame shows a row of the one before',
  ).toBe(true);
  return {
    least: Math.min(...moves.flat()),
    most: Math.max(...moves.flat()),
    sum: moves.reduce((sum, [first = 0]) => sum + first, 0),
  };
}

/** Fails if a row moves by more than a pixel, in one frame or in all frames together. */
export function expectStill(frames: readonly Frame[]): void {
  const { least, most, sum } = movement(frames);
  expect(Math.max(-least, most, Math.abs(sum)), JSON.stringify({ least, most, sum })).toBeLessThanOrEqual(1);
}
