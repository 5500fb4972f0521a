/** R2.2: the places inside `/`, as addresses in the hash that can be copied, opened and gone back from. */
import { useSyncExternalStore } from 'react';
import { z } from 'zod';

export const tabs = ['organisation', 'streams', 'settings'] as const;
export type Tab = (typeof tabs)[number];

export interface Route {
  readonly tab: Tab;
  /** The stream in front; undefined where a list is. */
  readonly streamId: number | undefined;
  /** The stream that stood beside the list when we were here before. */
  readonly beside: number | undefined;
}

export function addressOfTab(tab: Tab): string {
  return `#/${tab}`;
}

export function addressOfStream(streamId: number): string {
  return `#/stream/${streamId}`;
}

/** What an address names. A stream's address names no tab: the list beside it stays as it was. */
export function parseHash(hash: string): { readonly tab?: Tab; readonly streamId?: number } {
  const [, first = '', second = ''] = hash.split('/');
  if (first === 'stream' && /^\d{1,15}$/.test(second)) return { streamId: Number(second) };
  const tab = tabs.find((each) => each === first);
  return tab ? { tab } : {};
}

/** What each entry of the browser's history remembers beside its address. */
const entry = z.object({ tab: z.enum(tabs), listBelow: z.boolean(), beside: z.int().optional() });
type Entry = z.output<typeof entry>;

export interface Router {
  subscribe(listener: () => void): () => void;
  route(): Route;
  go(address: string): void;
  /** In place of where we are, so that going back does not come here again. */
  replace(address: string): void;
  /** Remembers which stream stands beside the list, for when we come back here. */
  keepBeside(streamId: number): void;
  /** From a stream to the list: the one we came from, when it is just below in the history. */
  backToList(): void;
}

export function createRouter(window: Window): Router {
  const listeners = new Set<() => void>();
  let route: Route = { tab: 'organisation', streamId: undefined, beside: undefined };

  const remember = (state: Entry) => window.history.replaceState(state, '');

  const arrive = () => {
    const { tab, streamId } = parseHash(window.location.hash);
    const remembered = entry.safeParse(window.history.state);
    const before = route;
    route = { tab: tab ?? remembered.data?.tab ?? before.tab, streamId, beside: remembered.data?.beside };
    if (!remembered.success) remember({ tab: route.tab, listBelow: before.streamId === undefined });
  };

  arrive();
  // Whoever opens a link to a stream has nothing of ours below.
  if (route.streamId !== undefined) remember({ tab: route.tab, listBelow: false });

  // Going back and forth, and following a link to a hash, both end here.
  window.addEventListener('popstate', () => {
    arrive();
    for (const listener of listeners) listener();
  });

  const go = (address: string) => {
    if (window.location.hash !== address) window.location.hash = address;
  };

  const replace = (address: string) => {
    window.history.replaceState(null, '', address);
    arrive();
    for (const listener of listeners) listener();
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    route: () => route,
    go,
    replace,
    keepBeside: (streamId) => {
      const remembered = entry.safeParse(window.history.state);
      if (remembered.success) remember({ ...remembered.data, beside: streamId });
    },
    backToList: () => {
      if (entry.safeParse(window.history.state).data?.listBelow) window.history.back();
      else replace(addressOfTab(route.tab));
    },
  };
}

export function useRoute(router: Router): Route {
  return useSyncExternalStore(router.subscribe, router.route);
}
