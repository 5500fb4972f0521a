/** A stream with a long history, and what of it is painted in each frame. */
import {
  type APIRequest,
  type APIRequestContext,
  type Browser,
  type BrowserContextOptions,
  expect,
  type Page,
} from '@playwright/test';
import { type Product, signedInPage } from './product.ts';
import { header, rail, streamRow } from './screen.ts';

export interface Author {
  /** @returns the message's number */
  say(stream: string, content: string): Promise<number>;
  rewrite(message: number, content: string): Promise<void>;
  remove(message: number): Promise<void>;
  makeStream(name: string, members: readonly string[]): Promise<void>;
  /** The number of a stream. */
  idOf(stream: string): Promise<number>;
}

export async function authorOf(request: APIRequest, { url }: Product, email: string): Promise<Author> {
  const context = await request.newContext({ baseURL: url, extraHTTPHeaders: { Origin: url } });
  expect((await context.post('/api/session', { data: { email } })).status()).toBe(200);
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, form: Readonly<Record<string, string>> = {}) => {
    const answer = await context.fetch(`/api/v1${path}`, method === 'GET' ? { params: form } : { method, form });
    expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBe(200);
    return answer;
  };
  return {
    async say(stream, content) {
      const answer = await call('POST', '/messages', { type: 'stream', to: stream, topic: 'stream events', content });
      const { id }: { id: number } = await answer.json();
      return id;
    },
    async rewrite(message, content) {
      await call('PATCH', `/messages/${message}`, { content });
    },
    async remove(message) {
      await call('DELETE', `/messages/${message}`);
    },
    async makeStream(name, members) {
      const subscriptions = JSON.stringify([{ name }]);
      await call('POST', '/users/me/subscriptions', { subscriptions, principals: JSON.stringify(members), invite_only: 'true' });
    },
    async idOf(stream) {
      const answer = await call('GET', '/get_stream_id', { stream });
      const { stream_id: streamId }: { stream_id: number } = await answer.json();
      return streamId;
    },
  };
}

/** Of many heights, each with a number by which the frames know it again. */
export function textOf(number: number): string {
  const sentence = '縁側で話すように、仕事の相談も気軽に書ける場所にしたいと思います。';
  return `第${number}話 ${sentence.repeat((number * 7) % 6)}${'\n行'.repeat(number % 9 === 0 ? 6 : 0)}`;
}

/** The reader at the newest message of the stream, which is the number of the newest. */
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

/** Reads a stream to its end on another device: with more unread than a window shows it would open where they begin. */
export async function readAll(request: APIRequestContext, { url }: Product, stream: string): Promise<void> {
  const narrow = JSON.stringify([{ operator: 'stream', operand: stream }]);
  const params = { anchor: 'newest', num_before: '1000', num_after: '0', narrow };
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

/** When the list has not scrolled for longer than it waits to scroll again, and nothing more is on its way. */
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

/** A turn in each frame, as a wheel's come. */
export async function wheel(page: Page, pixels: number, turns = 1): Promise<void> {
  await page.getByRole('log').hover();
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, pixels);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
  }
}

/** Of one frame, in pixels from the top of the screen. */
export interface Frame {
  /** Milliseconds. */
  readonly time: number;
  readonly window: { readonly top: number; readonly bottom: number };
  /** Those messages of which something is seen, oldest first. */
  readonly rows: readonly { readonly number: number; readonly top: number; readonly bottom: number }[];
}

/**
 * Watches what is painted until the function that it answers is called. An observer of intersections knows where things
 * are at the end of a frame; whoever asks before sees what is corrected in the same frame.
 */
export async function watch(page: Page): Promise<() => Promise<readonly Frame[]>> {
  const watching = await page.getByRole('log').evaluateHandle(async (log) => {
    const frames: Frame[] = [];
    let goesOn = true;
    const look = () => {
      const observer = new IntersectionObserver((entries) => {
        observer.disconnect();
        // Under load it is told of later frames too, and not in the order of the frames.
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

/** How far the rows go from each frame to the next: the least and the most of any row, and all ways of the first row together. */
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

/** No frame, nor all of them together, may move a row by more than a pixel. */
export function expectStill(frames: readonly Frame[]): void {
  const { least, most, sum } = movement(frames);
  expect(Math.max(-least, most, Math.abs(sum)), JSON.stringify({ least, most, sum })).toBeLessThanOrEqual(1);
}
