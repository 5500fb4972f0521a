/** The product as a stranger starts it: the built server on an empty data folder, and members in browsers of their own. */
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, test as base, expect } from '@playwright/test';
import { type Product, type StartedProduct, startProduct } from './server.ts';
import { prepare } from './states.ts';

export { expect } from '@playwright/test';
export type { Product } from './server.ts';

/** One product for the tests of a file, which choose streams and words of their own. */
export const test = base.extend<{ left: void; product: Product }, { products: Products; prepared: Product }>({
  /** Everybody goes home after a test. Who stayed would read what others write in the next. */
  left: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
  products: [
    async ({}, use) => {
      const products = createProducts();
      await use(products);
      await products.stop();
    },
    { scope: 'worker' },
  ],
  product: async ({ products }, give, { file }) => give(await products.of(file)),
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

/** Which files a worker runs, and after which others, is nobody's choice: no file finds what another has written. */
interface Products {
  of(file: string): Promise<Product>;
  stop(): Promise<void>;
}

function createProducts(): Products {
  let running: { readonly file: string; readonly product: StartedProduct } | undefined;
  const stop = async () => {
    await running?.product.stop();
    running = undefined;
  };
  return {
    async of(file) {
      if (running?.file !== file) {
        await stop();
        running = { file, product: await startProduct() };
      }
      return running.product;
    },
    stop,
  };
}

/** A browser of a member's own, signed in, with no page yet. */
export async function signedInContext(
  browser: Browser,
  product: Product,
  email: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: product.url, ...options });
  const signedIn = await context.request.post('/api/session', {
    data: { email },
    headers: { Origin: product.url },
  });
  expect(signedIn.status()).toBe(200);
  return context;
}

/** A member in a browser of their own, on the main screen. */
export async function signIn(
  browser: Browser,
  product: Product,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await signedInContext(browser, product, email, options);
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('log')).toBeVisible();
  return page;
}
