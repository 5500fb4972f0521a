/** Notifications by the service worker, for browsers whose pages cannot show them (telephones). */
import { z } from 'zod/mini';

export interface Shown {
  /** Resolves when the notification is on the screen. Closing the page earlier would lose it. */
  readonly shown: Promise<unknown>;
  close(): void;
  addEventListener(type: 'click' | 'close', listener: () => void): void;
}

/** A message from `serviceWorker/worker.ts`. Only addresses of the product are opened. */
const news = z.union([z.object({ open: z.string().check(z.startsWith('#/')) }), z.object({ closed: z.string() })]);

/** Returns undefined without a service worker. Such a notification fires no `click` in the page: use `onPressed`. */
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
