/** Caches the shell, never what a member reads or writes. It never reloads a page. See docs/decisions/026-service-worker.md */
import { networkFirst } from './networkFirst.ts';
import { cacheOf, isFile, isPart, kindOf, outlived, page, type Shell } from './shell.ts';

declare const self: ServiceWorkerGlobalScope;
/** The build replaces this name by the version and the files of the build. */
declare const ENGAWA_SHELL: Shell;

declare global {
  interface ExtendableEvent {
    /** Lets requests bypass the worker. Not every browser has it. */
    addRoutes?(rule: { readonly condition: { readonly urlPattern: string }; readonly source: 'network' }): Promise<void>;
  }
}

const shell = ENGAWA_SHELL;
const kept = cacheOf(shell);
/** Number of downloads at once. The member needs the other connections of the six that a browser opens over HTTP/1.1. */
const atOnce = 2;

self.addEventListener('install', (event) => {
  event.waitUntil(install(event));
});

async function install(event: ExtendableEvent): Promise<void> {
  // API calls go to the network directly, because waiting for the worker to start would delay them.
  await event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' });
  const cache = await caches.open(kept);
  const waiting = shell.files.values();
  const fetchInTurn = async () => {
    for (const file of waiting) await keep(cache, file);
  };
  await Promise.all(Array.from({ length: atOnce }, fetchInTurn));
  // Replaces the previous worker at once, because this worker can also serve the pages of the previous version.
  await self.skipWaiting();
}

async function keep(cache: Cache, file: string): Promise<void> {
  const known = isPart(file) ? await caches.match(file) : undefined;
  const answer = known ?? (await fetch(file, { cache: isPart(file) ? 'default' : 'no-cache' }));
  if (!(await isFile(file, answer, shell))) throw new Error(`${file} is not a file of this build (status ${answer.status})`);
  await cache.put(file, answer);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

async function takeOver(): Promise<void> {
  await self.registration.navigationPreload.enable();
  const names = outlived(await caches.keys(), kept);
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.clients.claim();
  for (const client of await self.clients.matchAll({ type: 'window' })) tell(client, { version: shell.version });
}

/** Messages to pages: `features/update/versions.ts` receives a version, `hooks/shownByWorker.ts` the others. */
type News = { readonly version: string } | { readonly open: string } | { readonly closed: string };

function tell(client: Pick<Client, 'postMessage'>, news: News): void {
  const post = client.postMessage.bind(client);
  post(news);
}

self.addEventListener('message', ({ source }) => {
  if (source) tell(source, { version: shell.version });
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification));
});

async function open({ data }: Notification): Promise<void> {
  const address = addressIn(data);
  const [last] = await self.clients.matchAll({ type: 'window' });
  if (!last) {
    await self.clients.openWindow(`${page}${address}`);
    return;
  }
  tell(last, { open: address });
  await last.focus();
}

/** The address that `features/notifications` has stored; a sample notification has none. */
function addressIn(data: unknown): string {
  if (typeof data !== 'object' || data === null || !('address' in data)) return '';
  return typeof data.address === 'string' ? data.address : '';
}

self.addEventListener('notificationclose', (event) => {
  event.waitUntil(sayClosed(event.notification));
});

async function sayClosed({ tag }: Notification): Promise<void> {
  for (const client of await self.clients.matchAll({ type: 'window' })) tell(client, { closed: tag });
}

self.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, self.location.origin, shell);
  if (kind === 'part') event.respondWith(answerPart(event.request));
  else if (kind === 'file') event.respondWith(answerFile(event, fetch(event.request), new URL(event.request.url).pathname));
  else if (kind === 'page') event.respondWith(answerFile(event, openPage(event), page));
});

async function answerPart(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Uses the response that the browser requested while the worker was starting. */
async function openPage(event: FetchEvent): Promise<Response> {
  const early: unknown = await event.preloadResponse;
  return early instanceof Response ? early : fetch(event.request);
}

async function answerFile(event: FetchEvent, answer: Promise<Response>, file: string): Promise<Response> {
  const asked = answer.catch(() => undefined);
  event.waitUntil(asked);
  return networkFirst(asked, async () => (await caches.open(kept)).match(file, { ignoreVary: true }));
}
