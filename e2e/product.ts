/** The product as a stranger starts it: the built server on an empty data folder, and members in browsers of their own. */
import {
  type APIRequest,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  test as base,
  expect,
} from '@playwright/test';
import { pagePool } from './pagePool.ts';
import { type Environment, type Product, type StartedProduct, freePort, startProduct } from './server.ts';
import { prepare } from './states.ts';

export { expect } from '@playwright/test';
export type { Product } from './server.ts';

/** One product for the tests of a file, which choose streams and words of their own. */
export const test = base.extend<
  { left: void; product: Product; empty: Product; founded: Product },
  { places: Readonly<Record<'product' | 'empty', Place>>; prepared: Product }
>({
  /** What a test leaves behind is not met in the next. */
  left: [
    async ({ browser }, use, { errors }) => {
      await use();
      const pool = pagePool(browser);
      await (errors.length === 0 ? pool.leave() : pool.closeAll());
    },
    { auto: true },
  ],
  places: [
    async ({}, use) => {
      const places = { product: new Place(), empty: new Place({ AUTH_MODE: 'password' }) };
      await use(places);
      await Promise.all([places.product.stop(), places.empty.stop()]);
    },
    { scope: 'worker' },
  ],
  product: async ({ places }, give, { file }) => give(await places.product.of(file)),
  /** What `test.use` says is not seen by it, as by none of these pages. */
  page: async ({ browser, product }, give) => give(await visitorsPage(browser, product)),
  /** Members sign in with passwords, and there is no organisation yet. Each test has its own. */
  empty: async ({ places }, give, { testId }) => give(await places.empty.of(testId)),
  /** Members sign in with passwords, and there is nobody but the owner. Each test has its own. */
  founded: async ({ empty }, give) => {
    await found(empty);
    await give(empty);
  },
  /** One with all that `states.ts` shows. */
  prepared: [
    async ({}, use) => {
      const product = await startProduct();
      await prepare(product.url);
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

/**
 * A port with one product after another, so that the pages that are used again know the scripts already. Which files a
 * worker runs, and after which others, is nobody's choice: no file finds what another has written.
 */
class Place {
  readonly #environment: Environment;
  #port: string | undefined;
  #running: { readonly whose: string; readonly product: StartedProduct } | undefined;

  constructor(environment: Environment = {}) {
    this.#environment = environment;
  }

  /** @param whose The file or the test that has it to itself. */
  async of(whose: string): Promise<Product> {
    if (this.#running?.whose !== whose) {
      await this.stop();
      this.#port ??= await freePort();
      this.#running = { whose, product: await startProduct({ ...this.#environment, PORT: this.#port }) };
    }
    return this.#running.product;
  }

  async stop(): Promise<void> {
    await this.#running?.product.stop();
    this.#running = undefined;
  }
}

/** Tests that begin with a story, which is told once on their file's product. */
export function withStory<Story>(
  tell: (product: Product, by: { readonly browser: Browser; readonly request: APIRequest }) => Promise<Story>,
) {
  const told = new WeakMap<Product, Promise<Story>>();
  return test.extend<{ story: Story }>({
    story: async ({ browser, playwright: { request }, product }, give) => {
      const story = told.get(product) ?? tell(product, { browser, request });
      told.set(product, story);
      await give(await story);
    },
  });
}

/** Who has founded the organisation of a product in password mode. */
export const owner = {
  organisation: '株式会社 縁側',
  name: '大野 由紀',
  email: 'ono@engawa.example',
  password: 'ひだまりの縁側で',
} as const;

/** What whoever installs the product reads in its log. */
export async function setupCode(product: Product): Promise<string> {
  const read = () => /\b[A-Z0-9]{4}(-[A-Z0-9]{4}){3}\b/.exec(product.log())?.[0] ?? '';
  await expect.poll(read).not.toBe('');
  return read();
}

export async function found(product: Product): Promise<void> {
  const answer = await fetch(`${product.url}/api/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.url },
    body: JSON.stringify({ code: await setupCode(product), ...owner }),
  });
  if (!answer.ok) throw new Error(`setup: ${await answer.text()}`);
}

/** By the address alone in the fake mode. */
type Who = string | { readonly email: string; readonly password: string };

/** A browser of a member's own, signed in, with no page yet. */
export async function signedInContext(
  browser: Browser,
  product: Product,
  who: Who,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: product.url, ...options });
  await signInAs(context, product, who);
  return context;
}

/** Whoever was signed in there before is not any more. */
async function signInAs(context: BrowserContext, { url }: Product, who: Who): Promise<void> {
  const { email, password } = typeof who === 'string' ? { email: who, password: undefined } : who;
  const signedIn = await context.request.post(`${url}/api/session`, {
    data: { email, ...(password !== undefined && { password }) },
    headers: { Origin: url },
  });
  expect(signedIn.status()).toBe(200);
}

/** Somebody who is not known yet, on a page that shows nothing of the product yet. */
export function visitorsPage(browser: Browser, { url }: Product, options: BrowserContextOptions = {}): Promise<Page> {
  return pagePool(browser).take(url, options);
}

/** A member in a browser of their own, signed in, on a page that shows nothing of the product yet. */
export async function signedInPage(
  browser: Browser,
  product: Product,
  who: Who,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await visitorsPage(browser, product, options);
  await signInAs(page.context(), product, who);
  return page;
}

/** A member in a browser of their own, on the main screen. */
export async function signIn(browser: Browser, product: Product, who: Who, options?: BrowserContextOptions): Promise<Page> {
  return onMainScreen(await signedInPage(browser, product, who, options));
}

/** The same in a browser that was never here before: what it has not fetched yet it does not have without a network. */
export async function signInFirst(browser: Browser, product: Product, who: Who): Promise<Page> {
  const context = await signedInContext(browser, product, who);
  return onMainScreen(await context.newPage());
}

async function onMainScreen(page: Page): Promise<Page> {
  await page.goto('/');
  await expect(page.getByRole('log')).toBeVisible();
  return page;
}
