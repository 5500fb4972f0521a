/** R2.2: each screen has an address after `#`, which can be copied and opened, and the back button returns to it. */
import { useSyncExternalStore } from 'react';
import { z } from 'zod/mini';
import { conversationAt } from '../model/streams/address.ts';
import { conversationKey, isDirect, type ConversationKey } from '../model/streams/conversation.ts';
import { layerOf, onLayer, watchLayers } from '../components/primitives/layers.ts';
import { createSignal } from '../model/signal.ts';
import type { ReadingPlace } from '../model/timeline/state.ts';

export const tabs = ['organisation', 'streams', 'settings'] as const;
export type Tab = (typeof tabs)[number];

const lists = [...tabs, 'directs', 'mentions', 'administration'] as const;
export type List = (typeof lists)[number];

export function tabOf(list: List): Tab {
  if (list === 'administration') return 'settings';
  return list === 'mentions' || list === 'directs' ? 'streams' : list;
}

const administrationSections = [
  'start',
  'members',
  'invitations',
  'departments',
  'streams',
  'bots',
  'hooks',
  'emoji',
  'organisation',
  'import',
  'status',
] as const;
export type AdministrationSection = (typeof administrationSections)[number];

export function addressOfSection(section: AdministrationSection): string {
  return `#/administration/${section}`;
}

const helpPages = ['faqs', 'calls', 'shortcuts', 'contact', 'policy'] as const;
export type HelpPage = (typeof helpPages)[number];

export function addressOfHelp(page: HelpPage): string {
  return `#/settings/help/${page}`;
}

export interface Route {
  readonly list: List;
  readonly help?: HelpPage | undefined;
  /** The section of the administration in the address; undefined for the list of sections. */
  readonly section?: AdministrationSection | undefined;
  /** `/logout` leads here: the settings ask whether to sign out. */
  readonly asksToSignOut?: boolean;
  /** The conversation in the address; undefined if the address names a list. */
  readonly conversation?: ConversationKey | undefined;
  readonly messageId?: number | undefined;
  readonly beside?: ConversationKey | undefined;
  readonly place?: ReadingPlace | undefined;
}

export function addressOfList(list: List): string {
  return `#/${list}`;
}

/** Parses an address. The address of a conversation names no list, so the list beside it does not change. */
export function parseHash(hash: string): Partial<Omit<Route, 'beside' | 'place'>> {
  const found = conversationAt(hash);
  if (found) return found;
  const [, first, second, third] = hash.split('/');
  if (first === 'logout') return { list: 'settings', asksToSignOut: true };
  const list = lists.find((each) => each === first);
  const help = list === 'settings' && second === 'help' ? helpPages.find((each) => each === third) : undefined;
  const section = list === 'administration' ? administrationSections.find((each) => each === second) : undefined;
  return { ...(list && { list }), ...(help && { help }), ...(section && { section }) };
}

const entry = z.object({
  list: z.enum(lists),
  listBelow: z.boolean(),
  beside: z.optional(conversationKey),
  visit: z.int(),
  /** Set if the entry belongs to an open layer (`layers.ts`). It then has the same visit as the entry below. */
  layer: z.optional(z.int()),
});
type Entry = z.output<typeof entry>;

const mostPlaces = 100;

export type Router = ReturnType<typeof createRouter>;

export function createRouter(window: Window) {
  const changed = createSignal();
  const places = new Map<number, ReadingPlace>();
  let placeOfReader: (() => ReadingPlace | undefined) | undefined;
  /** Identifies the current history entry. It begins with the time, so that ids of an earlier page load never match. */
  let visit = Date.now();
  let lastVisit = visit;
  let route: Route = { list: 'organisation' };

  let isFirst = true;
  const remember = (state: Entry) => window.history.replaceState(state, '');

  const leave = () => {
    const place = placeOfReader?.();
    places.delete(visit);
    if (place) places.set(visit, place);
    const [oldest] = places.keys();
    if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
  };

  /** Shows an address. @returns the state for a new history entry. */
  const show = (hash: string, remembered?: Entry): Entry => {
    const { list, conversation, ...named } = parseHash(hash);
    const before = route;
    visit = remembered?.visit ?? (lastVisit += 1);
    // A page that begins with a direct conversation lists these beside it. The administration is never beside a conversation.
    const staying = before.list === 'administration' ? 'streams' : before.list;
    const beginning = isFirst && conversation !== undefined && isDirect(conversation) ? 'directs' : staying;
    isFirst = false;
    const shown = list ?? remembered?.list ?? beginning;
    route = { ...named, list: shown, conversation, beside: remembered?.beside, place: places.get(visit) };
    return { list: shown, listBelow: isList(before), visit };
  };

  const arrive = () => {
    const remembered = entry.safeParse(window.history.state);
    const begun = show(window.location.hash, remembered.data);
    if (!remembered.success) remember(begun);
  };

  arrive();
  // A page that begins with a conversation or a help page has no history entry of the list to go back to.
  if (!isList(route)) {
    const { layer } = entry.safeParse(window.history.state).data ?? {};
    remember({ list: route.list, listBelow: false, visit, layer });
  }

  // Called for going back, going forward and an address that the browser opened itself.
  const moveOn = () => {
    // A layer was opened or closed, and the place stays the same.
    if (entry.safeParse(window.history.state).data?.visit === visit) return;
    leave();
    arrive();
    changed.emit();
  };
  window.addEventListener('popstate', moveOn);
  watchLayers();

  /** Shows an address in a new history entry, or in the current one. Each write of an entry takes a millisecond, so there is one. */
  const enter = (address: string, write: 'pushState' | 'replaceState') => {
    leave();
    window.history[write](show(address), '', address);
    changed.emit();
  };
  const put = (address: string) => enter(address, 'replaceState');

  /** Opens an address. Opening the current address again scrolls to its message again. */
  const go = (address: string) => {
    if (window.location.hash !== address) {
      // The layer may close before its entry is reached. Then the current entry is that of the place below it.
      onLayer(1, () => enter(address, layerOf(window.history.state) > 0 ? 'replaceState' : 'pushState'));
      return;
    }
    // The member asks for the message in the address, not for the last reading position.
    places.delete(visit);
    arrive();
    changed.emit();
  };

  const replace = (address: string) => onLayer(0, () => put(address));

  // The browser would leave the entries of open layers below the address, and the new entry would be written twice.
  window.addEventListener('click', (event) => {
    const address = addressOfLink(event);
    if (address === undefined) return;
    event.preventDefault();
    go(address);
  });

  return {
    subscribe: changed.subscribe,
    route: () => route,
    go,
    replace,
    keepBeside: (conversation: ConversationKey) => {
      const remembered = entry.safeParse(window.history.state);
      if (remembered.success) remember({ ...remembered.data, beside: conversation });
    },
    /** Registers a function that reads the reading position when the member leaves. Returns how to unregister it. */
    onLeave: (place: () => ReadingPlace | undefined) => {
      placeOfReader = place;
      return () => {
        if (placeOfReader === place) placeOfReader = undefined;
      };
    },
    /** Goes back to the list if it is the previous history entry. Otherwise the list replaces the conversation. */
    backToList: () =>
      onLayer(0, () => {
        if (entry.safeParse(window.history.state).data?.listBelow) window.history.back();
        else put(addressOfList(route.list));
      }),
  };
}

const isList = ({ conversation, help }: Route): boolean => conversation === undefined && help === undefined;

/** The address of a link to a place of this page, if the browser is about to open it here. */
function addressOfLink({ target, defaultPrevented, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): string | undefined {
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target !== '' || link.origin !== location.origin || link.pathname !== location.pathname) return undefined;
  return Object.keys(parseHash(link.hash)).length > 0 ? link.hash : undefined;
}

export function useRoute(router: Router): Route {
  return useSyncExternalStore(router.subscribe, router.route);
}
