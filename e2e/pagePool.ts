/**
 * Pages that one test uses after another, with nothing left of what was done in them. In a browser of its own each would
 * begin with a new process and read all scripts anew: half of the work of opening it.
 */
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test';

interface PooledPage {
  readonly url: string;
  /** Of its context, as JSON. */
  readonly options: string;
  readonly page: Page;
  readonly devTools: CDPSession;
  readonly viewport: ReturnType<Page['viewportSize']>;
  use: 'free' | 'taken' | 'spent';
}

/** What cannot be undone, or is not worth it: a page where it was called, its context or its clock, is not used again. */
const lasting = [
  'addInitScript', 'close', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'install', 'newCDPSession', 'on',
  'once', 'pauseAt', 'routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders', 'setFixedTime', 'setGeolocation', 'setSystemTime',
];

const pools = new WeakMap<Browser, PagePool>();

export function pagePool(browser: Browser): PagePool {
  const pool = pools.get(browser) ?? new PagePool(browser);
  pools.set(browser, pool);
  return pool;
}

class PagePool {
  readonly #browser: Browser;
  readonly #pages = new Set<PooledPage>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A page in a context of its own, where nobody is signed in. */
  async take(url: string, contextOptions: BrowserContextOptions): Promise<Page> {
    const options = JSON.stringify(contextOptions);
    const free = [...this.#pages].find((each) => each.use === 'free' && each.url === url && each.options === options);
    const taken = free ?? (await this.#open(url, contextOptions, options));
    taken.use = 'taken';
    return taken.page;
  }

  /** Everybody goes home after a test: who stayed would read what others write in the next. */
  async leave(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => this.#leave(context)));
  }

  async closeAll(): Promise<void> {
    this.#pages.clear();
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  async #open(url: string, contextOptions: BrowserContextOptions, options: string): Promise<PooledPage> {
    const context = await this.#browser.newContext({ baseURL: url, ...contextOptions });
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    const opened: PooledPage = { url, options, page, devTools, viewport: page.viewportSize(), use: 'taken' };
    for (const each of [page, context, page.clock]) {
      afterCalls(each, lasting, () => {
        opened.use = 'spent';
      });
    }
    // Of a page it is undone.
    afterCalls(context, ['route'], () => {
      opened.use = 'spent';
    });
    this.#pages.add(opened);
    return opened;
  }

  async #leave(context: BrowserContext): Promise<void> {
    const pooled = [...this.#pages].find(({ page }) => page.context() === context);
    if (pooled && pooled.use !== 'spent' && (await answers(pooled.url))) {
      if (pooled.use === 'taken') await empty(pooled);
      pooled.use = 'free';
      return;
    }
    if (pooled) this.#pages.delete(pooled);
    await context.close();
  }
}

/** The product may have ended with its test, or with its file. */
function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'HEAD' }).then(() => true, () => false);
}

async function empty({ page, devTools, viewport, url }: PooledPage): Promise<void> {
  const context = page.context();
  await Promise.all(context.pages().map((each) => (each === page ? undefined : each.close())));
  await context.setOffline(false);
  await page.unrouteAll();
  if (viewport) await page.setViewportSize(viewport);
  // A page that does nothing more, of the same site: to another the browser would go with a new process.
  await page.goto('/theme.js');
  await page.mouse.up();
  await page.evaluate(() => sessionStorage.clear());
  await devTools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await context.clearCookies();
}

/** Calls back whenever one of the methods was called. */
function afterCalls(target: object, methods: readonly string[], called: () => void): void {
  for (const name of methods) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') continue;
    Reflect.set(target, name, (...parameters: unknown[]) => {
      called();
      return Reflect.apply(method, target, parameters);
    });
  }
}
