/** Asks the service worker for the latest version of the product. */
import { z } from 'zod/mini';

/** The messages of `serviceWorker/worker.ts`, at its start and on request. */
const news = z.object({ version: z.string() });

const script = '/serviceWorker.js';
const checkMilliseconds = 60 * 60_000;
/** Milliseconds before a retry if no worker is active, because the network failed during the installation. */
const triedAgainAfter = 60_000;
/** Milliseconds after a check in which a page that becomes visible does not check again. */
const freshFor = 10 * 60_000;
/** Milliseconds over which all pages spread their checks after a restart of the server, to limit its load. */
const spread = 60_000;

export interface Registration {
  readonly installing: object | null;
  readonly waiting: object | null;
  readonly active: { postMessage(message: string): void } | null;
  update(): Promise<unknown>;
}

export interface VersionWatchOptions {
  readonly workers: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
    register(script: string): Promise<Registration>;
  };
  readonly page: Pick<Document, 'visibilityState'> & Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  readonly now: () => number;
  readonly random: () => number;
  readonly onVersion: (version: string) => void;
}

export interface Watch {
  cameBack(): void;
  stop(): void;
}

export function watchVersions({ workers, page, now, random, onVersion }: VersionWatchOptions): Watch {
  let stopped = false;
  let asked = -Infinity;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  const onMessage = (event: Event) => {
    const heard = event instanceof MessageEvent ? news.safeParse(event.data).data : undefined;
    if (heard) onVersion(heard.version);
  };

  const ask = async () => {
    asked = now();
    clearTimeout(again);
    let registration: Registration | undefined;
    try {
      registration = await workers.register(script);
      await registration.update();
      // A worker that is being installed reports its version itself. The active worker may be older than the page.
      if (!stopped && !registration.installing && !registration.waiting) registration.active?.postMessage('which version?');
    } catch (error) {
      // The server is unreachable or the browser forbids workers. The product works without a worker.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      // A retry does not help if the browser forbids workers.
      if (!registration && error instanceof DOMException) return;
    }
    // Tries again, because an interrupted installation leaves no worker and reports no failure.
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
  const hourly = setInterval(() => void ask(), checkMilliseconds);
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

/** The version that the build wrote into the page. Undefined in development. */
export function ownVersion(page: Pick<Document, 'querySelector'>): string | undefined {
  return page.querySelector('meta[name="engawa-version"]')?.getAttribute('content') ?? undefined;
}
