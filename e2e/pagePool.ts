/**
 * Pages that one test uses after another, with nothing left of what was done in them. In a browser of its own each would
 * begin with a new process and read all scripts anew: half of the work of opening it.
 */
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test';

interface PooledPage {
  readonly url: string;
  /** What its context was opened with: the product's address and the options, as JSON. */
  readonly opening: string;
  readonly page: Page;
  readonly devTools: CDPSession;
  /** What the test has opened beside. */
  readonly sessions: CDPSession[];
  readonly viewport: ReturnType<Page['viewportSize']>;
  use: 'free' | 'taken' | 'spent';
}

/** What is not undone: a page where it was called, or its context, clock or keyboard, is not used again. */
const lasting = [
  'addInitScript',
  'addLocatorHandler',
  'clearPermissions',
  'close',
  'down',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'fastForward',
  'grantPermissions',
  'install',
  'on',
  'once',
  'pauseAt',
  'resume',
  'routeFromHAR',
  'routeWebSocket',
  'runFor',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setFixedTime',
  'setGeolocation',
  'setHTTPCredentials',
  'setStorageState',
  'setSystemTime',
];

/** Each is a process of its own. */
const mostFree = 4;

const pools = new WeakMap<Browser, PagePool>();

export function pagePool(browser: Browser): PagePool {
  const pool = pools.get(browser) ?? new PagePool(browser);
  pools.set(browser, pool);
  return pool;
}

class PagePool {
  readonly #browser: Browser;
  readonly #pages = new Map<BrowserContext, PooledPage>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * A page in a context of its own, where nobody is signed in. What the product consists of may be in its cache.
   * @param options All that make it another than the pages of the project: what `test.use` says is not seen here.
   */
  async take(url: string, options: BrowserContextOptions): Promise<Page> {
    const opening = JSON.stringify([url, options]);
    const free = [...this.#pages.values()].findLast((each) => each.use === 'free' && each.opening === opening);
    const taken = free ?? (await this.#open(url, options, opening));
    taken.use = 'taken';
    // At the end of the line: who waits for longest goes first.
    const context = taken.page.context();
    this.#pages.delete(context);
    this.#pages.set(context, taken);
    return taken.page;
  }

  /** Everybody goes home after a test: who stayed would read what others write in the next. */
  async leave(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => this.#leave(context)));
    const free = [...this.#pages].filter(([, { use }]) => use === 'free');
    await Promise.all(free.slice(0, -mostFree).map(([context]) => context.close()));
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  async #open(url: string, options: BrowserContextOptions, opening: string): Promise<PooledPage> {
    const context = await this.#browser.newContext({ ...options, baseURL: url });
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    const opened: PooledPage = { url, opening, page, devTools, sessions: [], viewport: page.viewportSize(), use: 'taken' };
    context.on('close', () => this.#pages.delete(context));
    for (const each of [page, context, page.clock, page.keyboard]) {
      onCalls(each, lasting, () => {
        opened.use = 'spent';
      });
    }
    const newSession = context.newCDPSession.bind(context);
    context.newCDPSession = async (target) => {
      const session = await newSession(target);
      if (target === page) opened.sessions.push(session);
      // Its end would take the touch screen with it.
      if (options.hasTouch) opened.use = 'spent';
      return session;
    };
    return opened;
  }

  async #leave(context: BrowserContext): Promise<void> {
    const pooled = this.#pages.get(context);
    if (pooled?.use === 'free') return;
    if (pooled?.use !== 'taken' || !(await answers(pooled.url))) return context.close();
    await empty(pooled);
    pooled.use = 'free';
  }
}

/** The product may have ended with its test. */
function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
}

async function empty({ page, devTools, sessions, viewport, url }: PooledPage): Promise<void> {
  const context = page.context();
  await Promise.all(context.pages().map((each) => (each === page ? undefined : each.close())));
  // From nobody the product takes what is said late, on coming online or on leaving. A route that stops it would empty the
  // browser's cache in memory, and with it the code that was compiled.
  await context.clearCookies();
  await context.setOffline(false);
  // What they have emulated ends with them.
  await Promise.all(sessions.splice(0).map((session) => session.detach()));
  // A page that does nothing more, of the same site and policy: to another the browser would go with a new process.
  // What is held there is gone with its page before its routes are.
  await page.goto(`${url}/theme.js`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  if (viewport) await page.setViewportSize(viewport);
  await page.mouse.up();
  await page.evaluate(() => sessionStorage.clear());
  await devTools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' });
  await context.clearCookies();
}

function onCalls(target: object, methods: readonly string[], called: () => void): void {
  for (const name of methods) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') continue;
    Reflect.set(target, name, (...parameters: unknown[]) => {
      called();
      return Reflect.apply(method, target, parameters);
    });
  }
}
