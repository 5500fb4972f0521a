/** Which version of the product the service worker has last found, whether or not this page is of that version. */
import { z } from 'zod';

/** The messages of `serviceWorker/worker.ts`, at its start and on request. */
const news = z.object({ version: z.string() });

const script = '/serviceWorker.js';
/** Milliseconds after which a page that stays open asks again. */
const askedAgainAfter = 60 * 60_000;
/** Milliseconds after which it does so where nothing is kept yet, because the network was cut meanwhile. */
const triedAgainAfter = 60_000;
/** Milliseconds for which a page that comes to the front does not ask again. */
const freshFor = 10 * 60_000;
/** Milliseconds within which all pages ask once a server is back, which may have been started anew with a new version. */
const spread = 60_000;

/** The used part of a `ServiceWorkerRegistration`. */
export interface Registration {
  readonly installing: object | null;
  readonly waiting: object | null;
  readonly active: { postMessage(message: string): void } | null;
  update(): Promise<unknown>;
}

export interface VersionParts {
  readonly workers: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
    register(script: string): Promise<Registration>;
  };
  readonly page: Pick<Document, 'visibilityState'> & Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** Milliseconds. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly hear: (version: string) => void;
}

export interface Watch {
  /** The server is there again after an outage. */
  cameBack(): void;
  stop(): void;
}

/** Has the product kept in this browser, and listens for new versions from then on. */
export function watchVersions({ workers, page, now, random, hear }: VersionParts): Watch {
  let stopped = false;
  let asked = -Infinity;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const onMessage = (event: Event) => {
    const heard = event instanceof MessageEvent ? news.safeParse(event.data).data : undefined;
    if (heard) hear(heard.version);
  };

  const ask = async () => {
    asked = now();
    clearTimeout(again);
    let registration: Registration | undefined;
    try {
      registration = await workers.register(script);
      await registration.update();
      // One that is coming says so itself. Before it has come the one that is there knows an older version than the page.
      if (!stopped && !registration.installing && !registration.waiting) registration.active?.postMessage('which version?');
    } catch (error) {
      // The server cannot be reached, or the browser keeps nothing: without it everything else works.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      // A browser that forbids it will not allow it in a minute.
      if (!registration && error instanceof DOMException) return;
    }
    // What was cut while it was fetched leaves nothing behind, and says nothing.
    const tryAgain = () => {
      if (!registration?.active) void ask();
    };
    if (!stopped && !registration?.active) again = setTimeout(tryAgain, triedAgainAfter);
  };

  const onVisible = () => {
    if (page.visibilityState === 'visible' && now() - asked >= freshFor) void ask();
  };

  workers.addEventListener('message', onMessage);
  page.addEventListener('visibilitychange', onVisible);
  const hourly = setInterval(() => void ask(), askedAgainAfter);
  void ask();

  return {
    cameBack() {
      clearTimeout(soon);
      soon = setTimeout(() => void ask(), random() * spread);
    },
    stop() {
      stopped = true;
      clearInterval(hourly);
      clearTimeout(soon);
      clearTimeout(again);
      workers.removeEventListener('message', onMessage);
      page.removeEventListener('visibilitychange', onVisible);
    },
  };
}

/** The page's own, which the build has written into it. Undefined while it is being developed. */
export function ownVersion(page: Pick<Document, 'querySelector'>): string | undefined {
  return page.querySelector('meta[name="engawa-version"]')?.getAttribute('content') ?? undefined;
}
