/** Where pages may show no notifications themselves, as on telephones: the service worker shows them, and tells what is pressed. */
import { z } from 'zod';

/** What is used of a `Notification`, whoever shows it. */
export interface Shown {
  /** Resolves when it stands on the screen: what a page has only asked for is gone with the page. */
  readonly shown: Promise<unknown>;
  close(): void;
  addEventListener(type: 'click' | 'close', listener: () => void): void;
}

/** Told by `serviceWorker/worker.ts`. Nothing but an address of ours leads anywhere. */
const news = z.union([z.object({ open: z.string().startsWith('#/') }), z.object({ closed: z.string() })]);

/** Undefined where there is no service worker. It says no `click`: whoever is to go somewhere hears of it by `onPressed`. */
export function showByWorker(title: string, options: NotificationOptions & { readonly tag: string }): Shown | undefined {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return undefined;
  const { tag } = options;
  const shown = navigator.serviceWorker.ready.then(async (registration) => {
    await registration.showNotification(title, options);
    return registration;
  });
  return {
    shown,
    async close() {
      const there = await (await shown).getNotifications({ tag });
      for (const each of there) each.close();
    },
    addEventListener(type, listener) {
      if (type !== 'close') return;
      const stop = onNews((said) => {
        if (!('closed' in said) || said.closed !== tag) return;
        stop();
        listener();
      });
    },
  };
}

/** Calls back with the address that a pressed notification leads to; returns how to stop. */
export function onPressed(go: (address: string) => void): () => void {
  return onNews((said) => {
    if ('open' in said) go(said.open);
  });
}

function onNews(hear: (said: z.output<typeof news>) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined;
  const workers = navigator.serviceWorker;
  const onMessage = ({ data }: MessageEvent) => {
    const said = news.safeParse(data).data;
    if (said) hear(said);
  };
  workers.addEventListener('message', onMessage);
  return () => workers.removeEventListener('message', onMessage);
}
