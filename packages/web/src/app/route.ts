/** R2.2: the places inside `/`, as addresses in the hash that can be copied, opened and gone back from. */
import { useSyncExternalStore } from 'react';
import { z } from 'zod';

export const tabs = ['organisation', 'streams', 'settings'] as const;
export type Tab = (typeof tabs)[number];

/** What stands beside the chat: what a tab shows, or what is reached from there. */
export const lists = [...tabs, 'mentions'] as const;
export type List = (typeof lists)[number];

/** The tab under which a list stands. */
export function tabOf(list: List): Tab {
  return list === 'mentions' ? 'streams' : list;
}

export interface Route {
  readonly list: List;
  /** The stream in front; undefined where a list is. */
  readonly streamId: number | undefined;
  /** The message in it that the address names. */
  readonly messageId: number | undefined;
  /** The stream that stood beside the list when we were here before. */
  readonly beside: number | undefined;
}

export function addressOfList(list: List): string {
  return `#/${list}`;
}

export function addressOfStream(streamId: number): string {
  return `#/stream/${streamId}`;
}

export function addressOfMessage(streamId: number, messageId: number): string {
  return `${addressOfStream(streamId)}/message/${messageId}`;
}

/** What an address names. A stream's address names no list: the one beside it stays as it was. */
export function parseHash(hash: string): {
  readonly list?: List;
  readonly streamId?: number;
  readonly messageId?: number;
} {
  const [, first = '', second = '', third = '', fourth = ''] = hash.split('/');
  if (first === 'stream' && number.test(second)) {
    const streamId = Number(second);
    return third === 'message' && number.test(fourth) ? { streamId, messageId: Number(fourth) } : { streamId };
  }
  const list = lists.find((each) => each === first);
  return list ? { list } : {};
}

const number = /^\d{1,15}$/;

/** What each entry of the browser's history remembers beside its address. */
const entry = z.object({ list: z.enum(lists), listBelow: z.boolean(), beside: z.int().optional() });
type Entry = z.output<typeof entry>;

export interface Router {
  subscribe(listener: () => void): () => void;
  route(): Route;
  /** Where we are already, it is arrived at again: a message that was scrolled away from comes back. */
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
  let route: Route = { list: 'organisation', streamId: undefined, messageId: undefined, beside: undefined };

  const remember = (state: Entry) => window.history.replaceState(state, '');

  const arrive = () => {
    const { list, streamId, messageId } = parseHash(window.location.hash);
    const remembered = entry.safeParse(window.history.state);
    const before = route;
    const { beside, list: remembers } = remembered.data ?? {};
    route = { list: list ?? remembers ?? before.list, streamId, messageId, beside };
    if (!remembered.success) remember({ list: route.list, listBelow: before.streamId === undefined });
  };

  arrive();
  // Whoever opens a link to a stream has nothing of ours below.
  if (route.streamId !== undefined) remember({ list: route.list, listBelow: false });

  // Going back and forth, and following a link to a hash, both end here.
  const arriveAndTell = () => {
    arrive();
    for (const listener of listeners) listener();
  };
  window.addEventListener('popstate', arriveAndTell);

  const go = (address: string) => {
    if (window.location.hash !== address) window.location.hash = address;
    else arriveAndTell();
  };

  const replace = (address: string) => {
    window.history.replaceState(null, '', address);
    arriveAndTell();
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
      else replace(addressOfList(route.list));
    },
  };
}

export function useRoute(router: Router): Route {
  return useSyncExternalStore(router.subscribe, router.route);
}
