/** The built product on an empty data folder, and members in separate browser contexts. */
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, test as base, expect } from '@playwright/test';
import { startZulipProcess } from '../packages/server/src/testing/zulip/zulipProcess.ts';
import { type MailServer, startMailServer } from './mailServer.ts';
import { type Environment, freePort, type Product, type StartedProduct, startProduct } from './server.ts';

export { expect } from '@playwright/test';
export type { Product } from './server.ts';

export const test = base.extend<
  {
    closeContexts: void;
    product: Product;
    empty: Product;
    founded: Product;
    mailing: { readonly product: StartedProduct; readonly mailServer: MailServer };
    ofZulip: Product;
  },
  { products: Readonly<Record<'demo' | 'empty', CurrentProduct>> }
>({
  closeContexts: [
    async ({ browser }, provide) => {
      await provide();
      const pages = browser.contexts().flatMap((context) => context.pages());
      // A request that a test still holds would fail the next test.
      await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      // The product keeps drafts, which the next test would find in the composer. A closed page writes no more of them.
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all(browser.contexts().map(deleteDrafts));
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  products: [
    async ({}, provide) => {
      const products = { demo: new CurrentProduct(), empty: new CurrentProduct({ AUTH_MODE: 'password' }) };
      await provide(products);
      await Promise.all([products.demo.stop(), products.empty.stop()]);
    },
    { scope: 'worker' },
  ],
  /** One product for all tests of a file. */
  product: async ({ products }, provide, { file }) => provide(await products.demo.startFor(file)),
  /** `test.use` has no effect on this page, which has its own context. */
  page: async ({ browser, product }, provide) => provide(await visitorPage(browser, product)),
  /** A product in password mode without an organisation; each test has its own. */
  empty: async ({ products }, provide, { testId }) => provide(await products.empty.startFor(testId)),
  /** A product in password mode whose only member is the owner; each test has its own. */
  founded: async ({ empty }, provide) => {
    await found(empty);
    await provide(empty);
  },
  /** A founded product in password mode that sends mail, and its mail server; each test has its own. */
  mailing: async ({}, provide) => {
    const mailServer = await startMailServer();
    const PORT = await freePort();
    const mail = { SMTP_URL: mailServer.url, MAIL_FROM: 'engawa@engawa.example', PUBLIC_URL: `http://127.0.0.1:${PORT}` };
    const product = await startProduct({ AUTH_MODE: 'password', PORT, ...mail });
    try {
      await found(product);
      await provide({ product, mailServer });
    } finally {
      await product.stop();
      mailServer.close();
    }
  },
  /** A product in front of a double of a real Zulip with the demo organisation; each test has its own. */
  ofZulip: async ({}, provide) => {
    const zulip = await startZulipProcess({ callsPerMinute: 10_000 });
    const product = await startProduct({ AUTH_MODE: 'password', ZULIP_SITE: zulip.url });
    try {
      await provide(product);
    } finally {
      await product.stop();
      await zulip.close();
    }
  },
});

/** The drafts that the server has of the member who is signed in. */
export async function draftsIn({
  request,
}: BrowserContext): Promise<readonly { readonly id: number; readonly content: string }[]> {
  return (await (await request.get('/api/v1/drafts')).json()).drafts;
}

/** A test may have stopped the product or ended the session. Then there is nothing to delete. */
async function deleteDrafts(context: BrowserContext): Promise<void> {
  const answer = await context.request.get('/api/v1/drafts').catch(() => undefined);
  if (!answer?.ok()) return;
  const headers = { Origin: new URL(answer.url()).origin };
  for (const { id } of await draftsIn(context)) await context.request.delete(`/api/v1/drafts/${id}`, { headers });
}

/** The product of the file or test that runs now. A worker runs files in any order, so each file starts from the demo data. */
class CurrentProduct {
  readonly #environment: Environment;
  #running: { readonly owner: string; readonly product: StartedProduct } | undefined;

  constructor(environment: Environment = {}) {
    this.#environment = environment;
  }

  /** @param owner The path of a file or the id of a test. */
  async startFor(owner: string): Promise<Product> {
    if (this.#running?.owner !== owner) {
      await this.stop();
      this.#running = { owner, product: await startProduct(this.#environment) };
    }
    return this.#running.product;
  }

  async stop(): Promise<void> {
    await this.#running?.product.stop();
    this.#running = undefined;
  }
}

/** Gives all tests of a file the same messages (the story), which are written once. */
export function withStory<Story>(write: (product: Product, browser: Browser) => Promise<Story>) {
  const written = new WeakMap<Product, Promise<Story>>();
  return test.extend<{ story: Story }>({
    story: async ({ browser, product }, provide) => {
      const story = written.get(product) ?? write(product, browser);
      written.set(product, story);
      await provide(await story);
    },
  });
}

/** The owner of a founded organisation. */
export const owner = {
  organisation: '株式会社 縁側',
  name: '大野 由紀',
  email: 'ono@engawa.example',
  password: 'ひだまりの縁側で',
} as const;

/** The code that the product prints while it has no organisation. */
export async function setupCode(product: Product): Promise<string> {
  const read = () => /\b[A-Z0-9]{4}(-[A-Z0-9]{4}){3}\b/.exec(product.log())?.[0] ?? '';
  await expect.poll(read).not.toBe('');
  return read();
}

/** Fills the form on the first page of a product without an organisation. */
export async function fillSetUp(page: Page, product: Product): Promise<void> {
  await page.getByLabel('セットアップコード').fill(await setupCode(product));
  await page.getByLabel('組織の名前').fill(owner.organisation);
  await page.getByLabel('名前', { exact: true }).fill(owner.name);
  await page.getByLabel('メールアドレス').fill(owner.email);
  await page.getByLabel('パスワード', { exact: true }).fill(owner.password);
}

async function found(product: Product): Promise<void> {
  const answer = await fetch(`${product.url}/api/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: product.url },
    body: JSON.stringify({ code: await setupCode(product), ...owner }),
  });
  if (!answer.ok) throw new Error(`setup: ${await answer.text()}`);
}

/** In the fake mode, an email without a password signs a member in. */
type Credentials = string | { readonly email: string; readonly password: string };

/** A context in which a member is signed in. */
export async function signedInContext(
  browser: Browser,
  { url }: Product,
  credentials: Credentials,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, ...options });
  const data = typeof credentials === 'string' ? { email: credentials } : credentials;
  const signedIn = await context.request.post(`${url}/api/session`, { data, headers: { Origin: url } });
  expect(signedIn.status()).toBe(200);
  return context;
}

/** A blank page of somebody who is not signed in. */
export async function visitorPage(browser: Browser, { url }: Product, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, ...options });
  return context.newPage();
}

/** A blank page of a member. */
export async function signedInPage(...parameters: Parameters<typeof signedInContext>): Promise<Page> {
  const context = await signedInContext(...parameters);
  return context.newPage();
}

/** A page of a member, on the main screen. */
export async function signIn(...parameters: Parameters<typeof signedInContext>): Promise<Page> {
  const page = await signedInPage(...parameters);
  await page.goto('/');
  await expect(page.getByRole('log')).toBeVisible();
  return page;
}
