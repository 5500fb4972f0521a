/** R2.2: the places inside `/`, as addresses in the hash that can be copied, opened and gone back from. */
import { useSyncExternalStore } from 'react';
import { maxDirectParticipants as mostParticipants } from '@engawa/protocol';
import { z } from 'zod';
import { conversationKey, directOf, isDirect, participantsIn, type ConversationKey } from '../model/streams/conversation.ts';
import type { ReadingPlace } from '../model/timeline/state.ts';

export const tabs = ['organisation', 'streams', 'settings'] as const;
export type Tab = (typeof tabs)[number];

/** What stands beside the chat: what a tab shows, or what is reached from there. */
const lists = [...tabs, 'directs', 'mentions', 'administration'] as const;
export type List = (typeof lists)[number];

/** The tab under which a list stands. */
export function tabOf(list: List): Tab {
  if (list === 'administration') return 'settings';
  return list === 'mentions' || list === 'directs' ? 'streams' : list;
}

/** What there is to administer, each with its own address. */
const administrationSections = ['members', 'invitations', 'departments', 'streams', 'organisation', 'import'] as const;
export type AdministrationSection = (typeof administrationSections)[number];

export function addressOfSection(section: AdministrationSection): string {
  return `#/administration/${section}`;
}

/** The pages of help, each with its own address among the settings. */
const helpPages = ['faqs', 'shortcuts', 'contact', 'policy'] as const;
export type HelpPage = (typeof helpPages)[number];

export function addressOfHelp(page: HelpPage): string {
  return `#/settings/help/${page}`;
}

export interface Route {
  readonly list: List;
  /** The page of help that lies over the settings. */
  readonly help: HelpPage | undefined;
  /** Of the administration, what is in front; undefined where the list of its sections is. */
  readonly section: AdministrationSection | undefined;
  /** The conversation in front; undefined where a list is. */
  readonly conversation: ConversationKey | undefined;
  /** The message in it that the address names. */
  readonly messageId: number | undefined;
  /** The conversation that stood beside the list when we were here before. */
  readonly beside: ConversationKey | undefined;
  /** Where its reader was in a conversation, when we were here before and have come back. */
  readonly place: ReadingPlace | undefined;
}

export function addressOfList(list: List): string {
  return `#/${list}`;
}

export function addressOfStream(streamId: number): string {
  return `#/stream/${streamId}`;
}

/** R1.8: the direct conversation of the member with these users; it makes no difference whether the member is named. */
export function addressOfDirect(userIds: Iterable<number>): string {
  return addressOfConversation(directOf(userIds));
}

export function addressOfConversation(conversation: ConversationKey): string {
  return isDirect(conversation) ? `#/direct/${participantsIn(conversation).join()}` : addressOfStream(conversation);
}

export function addressOfMessage(conversation: ConversationKey, messageId: number): string {
  return `${addressOfConversation(conversation)}/message/${messageId}`;
}

/** What an address names. A conversation's address names no list: the one beside it stays as it was. */
export function parseHash(hash: string): {
  readonly list?: List;
  readonly help?: HelpPage;
  readonly section?: AdministrationSection;
  readonly conversation?: ConversationKey;
  readonly messageId?: number;
} {
  const [, first = '', second = '', third = '', fourth = ''] = hash.split('/');
  const conversation = first === 'stream' || first === 'direct' ? conversationIn(first, second) : undefined;
  if (conversation !== undefined) {
    return third === 'message' && number.test(fourth) ? { conversation, messageId: Number(fourth) } : { conversation };
  }
  const list = lists.find((each) => each === first);
  const help = list === 'settings' && second === 'help' ? helpPages.find((each) => each === third) : undefined;
  const section = list === 'administration' ? administrationSections.find((each) => each === second) : undefined;
  return { ...(list && { list }), ...(help && { help }), ...(section && { section }) };
}

const number = /^\d{1,15}$/;

function conversationIn(kind: 'stream' | 'direct', ids: string): ConversationKey | undefined {
  const numbers = ids.split(',');
  if (!numbers.every((each) => number.test(each))) return undefined;
  if (kind === 'direct') return numbers.length <= mostParticipants ? directOf(numbers.map(Number)) : undefined;
  return numbers.length === 1 ? Number(ids) : undefined;
}

/** What each entry of the browser's history remembers beside its address. */
const entry = z.object({ list: z.enum(lists), listBelow: z.boolean(), beside: conversationKey.optional(), visit: z.int() });
type Entry = z.output<typeof entry>;

/** So many places of readers are kept: the last that were left. */
const mostPlaces = 100;

export interface Router {
  subscribe(listener: () => void): () => void;
  route(): Route;
  /** Where we are already, it is arrived at again: a message that was scrolled away from comes back. */
  go(address: string): void;
  /** In place of where we are, so that going back does not come here again. */
  replace(address: string): void;
  /** Remembers which conversation stands beside the list, for when we come back here. */
  keepBeside(conversation: ConversationKey): void;
  /** Who is asked where the reader is, when they leave; returns how to stop. */
  onLeave(place: () => ReadingPlace | undefined): () => void;
  /** From a conversation to the list: the one we came from, when it is just below in the history. */
  backToList(): void;
}

export function createRouter(window: Window): Router {
  const listeners = new Set<() => void>();
  const places = new Map<number, ReadingPlace>();
  let placeOfReader: (() => ReadingPlace | undefined) | undefined;
  /** The visit to where we are. Those of an earlier load of the page, which the history still has, are none of these. */
  let visit = Date.now();
  let lastVisit = visit;
  let route: Route = {
    list: 'organisation',
    conversation: undefined,
    help: undefined,
    section: undefined,
    messageId: undefined,
    beside: undefined,
    place: undefined,
  };

  let isFirst = true;
  const remember = (state: Entry) => window.history.replaceState(state, '');

  const leave = () => {
    const place = placeOfReader?.();
    places.delete(visit);
    if (place) places.set(visit, place);
    const [oldest] = places.keys();
    if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
  };

  const arrive = () => {
    const { list, help, section, conversation, messageId } = parseHash(window.location.hash);
    const remembered = entry.safeParse(window.history.state);
    const before = route;
    const { beside, list: remembers } = remembered.data ?? {};
    visit = remembered.data?.visit ?? (lastVisit += 1);
    // Whoever comes by a link to a direct conversation finds the others of its kind beside it.
    // The administration has the room of the chat: no conversation stands beside it.
    const staying = before.list === 'administration' ? 'streams' : before.list;
    const beginning = isFirst && conversation !== undefined && isDirect(conversation) ? 'directs' : staying;
    isFirst = false;
    route = { list: list ?? remembers ?? beginning, help, section, conversation, messageId, beside, place: places.get(visit) };
    if (!remembered.success) remember({ list: route.list, listBelow: before.conversation === undefined, visit });
  };

  arrive();
  // Whoever opens a link to a conversation has nothing of ours below.
  if (route.conversation !== undefined) remember({ list: route.list, listBelow: false, visit });

  const tell = () => {
    for (const listener of listeners) listener();
  };

  // Going back and forth, and following a link to a hash, both end here.
  const moveOn = () => {
    leave();
    arrive();
    tell();
  };
  window.addEventListener('popstate', moveOn);

  const go = (address: string) => {
    if (window.location.hash !== address) {
      window.location.hash = address;
      return;
    }
    // Nobody goes back: they want to be at what the address names.
    places.delete(visit);
    arrive();
    tell();
  };

  const replace = (address: string) => {
    leave();
    window.history.replaceState(null, '', address);
    arrive();
    tell();
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    route: () => route,
    go,
    replace,
    keepBeside: (conversation) => {
      const remembered = entry.safeParse(window.history.state);
      if (remembered.success) remember({ ...remembered.data, beside: conversation });
    },
    onLeave: (place) => {
      placeOfReader = place;
      return () => {
        if (placeOfReader === place) placeOfReader = undefined;
      };
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
