import { wordsOf } from '@engawa/folding';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import { isNothing, isSame, nothing, type Hit, type HitPage, type SearchConditions } from '../../model/timeline/search.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { Model } from '../../model/model.ts';
import { createSignal } from '../../model/signal.ts';
import { isFoundWhole } from './ranking.ts';

export const pauseMilliseconds = 250;
export const readyRetryMilliseconds = 2000;
const hitsPerPage = 20;
export const mostHits = 300;

export interface Page {
  readonly whole: readonly Hit[];
  /** Hits of a word inside another word (京都 in 東京都), after the others, the newest first. */
  readonly inOthers: readonly Hit[];
}

export interface Searching {
  readonly conditions: SearchConditions;
  readonly foundBy: SearchConditions | undefined;
  readonly pages: readonly Page[];
  /** The next page ends before this message; undefined after the last page. */
  readonly next: number | undefined;
  readonly looking: 'anew' | 'more' | undefined;
  readonly failure: Failure | undefined;
}

interface ReadingPosition {
  readonly active: string | undefined;
  readonly scrollTop: number;
}

export interface Search {
  state(): Searching;
  position(): ReadingPosition;
  keepPosition(place: Partial<ReadingPosition>): void;
  subscribe(listener: () => void): () => void;
  /** Searches after a pause for typed words and days, and at once for other changes. */
  change(change: Partial<SearchConditions>): void;
  hurry(): void;
  more(): void;
  again(): void;
  /** Called when the panel opens again: drops deleted hits and adds new ones. */
  resume(): void;
  rest(): void;
}

export interface SearchDependencies {
  readonly conversation: ConversationKey | undefined;
  readonly find: Model['search'];
  /** Calls back once after so many milliseconds. Returns a function that cancels the call. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

const done = () => {};
const start: ReadingPosition = { active: undefined, scrollTop: 0 };

export function createSearching({ conversation, find, after }: SearchDependencies): Search {
  const changed = createSignal();
  let state: Searching = {
    conditions: { ...nothing, conversation },
    foundBy: undefined,
    pages: [],
    next: undefined,
    looking: undefined,
    failure: undefined,
  };
  let position = start;

  const update = (change: Partial<Searching>) => {
    state = { ...state, ...change };
    changed.emit();
  };
  const requests = createRequests({ find, after, state: () => state, update });

  return {
    state: () => state,
    position: () => position,
    keepPosition(change) {
      position = { ...position, ...change };
    },
    subscribe: changed.subscribe,
    change(change) {
      const conditions = { ...state.conditions, ...change };
      if (isSame(conditions, state.conditions)) {
        update({ conditions });
        return;
      }
      requests.abort();
      position = start;
      if (isNothing(conditions)) {
        update({ conditions, foundBy: undefined, pages: [], next: undefined, looking: undefined, failure: undefined });
      } else if (isSame(conditions, state.foundBy)) {
        update({ conditions, looking: undefined, failure: undefined });
      } else {
        const { query, from, to } = conditions;
        const isTyped = isSame({ ...state.conditions, query, from, to }, conditions);
        update({ conditions, looking: 'anew', failure: undefined });
        if (isTyped) requests.firstAfter(pauseMilliseconds);
        else requests.first();
      }
    },
    hurry() {
      if (!isNothing(state.conditions) && !isSame(state.conditions, state.foundBy)) requests.first();
    },
    more() {
      const { conditions, foundBy, looking, failure } = state;
      if (looking === undefined && !failure && isSame(conditions, foundBy)) requests.next();
    },
    again: requests.again,
    resume() {
      if (isSame(state.conditions, state.foundBy)) requests.refresh();
      else if (!isNothing(state.conditions)) requests.first();
    },
    rest() {
      requests.abort();
      update({ looking: undefined, failure: undefined });
    },
  };
}

/** Requests of one search. Each request aborts the one before it. */
function createRequests({
  find,
  after,
  state,
  update,
}: Pick<SearchDependencies, 'find' | 'after'> & {
  readonly state: () => Searching;
  readonly update: (change: Partial<Searching>) => void;
}) {
  let cancel = done;
  let running = new AbortController();

  const abort = (): AbortSignal => {
    cancel();
    cancel = done;
    running.abort();
    running = new AbortController();
    return running.signal;
  };

  const fail = (failure: Failure) => {
    update({ looking: undefined, failure });
    if (failure.kind === 'not-ready') cancel = after(readyRetryMilliseconds, again);
  };

  const loadFirst = async () => {
    const signal = abort();
    const { conditions } = state();
    update({ looking: 'anew', failure: undefined });
    const found = await find(conditions, { before: undefined, most: hitsPerPage }, signal);
    if (signal.aborted) return;
    if ('kind' in found) return fail(found);
    update({ foundBy: conditions, pages: pagesOf(found, conditions), next: found.next, looking: undefined });
  };

  const loadNext = async () => {
    const { foundBy, next, pages } = state();
    const count = hitsIn(pages).length;
    if (!foundBy || next === undefined || count >= mostHits) return;
    const signal = abort();
    update({ looking: 'more', failure: undefined });
    const found = await find(foundBy, { before: next, most: Math.min(hitsPerPage, mostHits - count) }, signal);
    if (signal.aborted) return;
    if ('kind' in found) return fail(found);
    update({ pages: [...pages, ...pagesOf(found, foundBy)], next: found.next, looking: undefined });
  };

  const refresh = async () => {
    const { foundBy, pages } = state();
    if (!foundBy) return;
    const signal = abort();
    const most = hitsIn(pages).length + hitsPerPage;
    const found = await find(foundBy, { before: undefined, most }, signal);
    // After a failure the shown hits stay.
    if (signal.aborted || 'kind' in found) return;
    const { pages: renewedPages, isAll } = renewed(pages, found, foundBy);
    update(isAll ? { pages: renewedPages, next: found.next } : { pages: renewedPages });
  };

  const first = () => void loadFirst();
  const next = () => void loadNext();
  const again = () => (isSame(state().conditions, state().foundBy) ? next() : first());

  return {
    abort,
    first,
    firstAfter(milliseconds: number) {
      cancel = after(milliseconds, first);
    },
    next,
    again,
    refresh: () => void refresh(),
  };
}

export function hitsIn(pages: readonly Page[]): readonly Hit[] {
  return pages.flatMap(({ whole, inOthers }) => [...whole, ...inOthers]);
}

function pagesOf({ hits }: HitPage, { query }: SearchConditions): readonly Page[] {
  if (hits.length === 0) return [];
  const words = wordsOf(query);
  const { whole = [], inOthers = [] } = Object.groupBy(hits, (hit) => (isFoundWhole(hit, words) ? 'whole' : 'inOthers'));
  return [{ whole, inOthers }];
}

/** Drops deleted hits, updates the rest, prepends new ones. `isAll`: the answer covers all shown hits. */
function renewed(pages: readonly Page[], found: HitPage, conditions: SearchConditions) {
  const before = hitsIn(pages);
  const now = new Map(found.hits.map((hit) => [hit.messageId, hit]));
  const known = new Set(before.map(({ messageId }) => messageId));
  const reached = found.next ?? 0;
  const renew = (hits: readonly Hit[]) => hits.flatMap((hit) => now.get(hit.messageId) ?? (hit.messageId < reached ? [hit] : []));
  const kept = pages
    .map(({ whole, inOthers }) => ({ whole: renew(whole), inOthers: renew(inOthers) }))
    .filter((page) => hitsIn([page]).length > 0);
  const newest = Math.max(0, ...known);
  const [older, newer] = [[...now.values()].filter(isOlder), [...now.values()].filter((hit) => !isOlder(hit))];
  function isOlder({ messageId }: Hit): boolean {
    return messageId < newest;
  }
  const added = (hits: readonly Hit[]) =>
    pagesOf({ hits: hits.filter(({ messageId }) => !known.has(messageId)), next: undefined }, conditions);
  return {
    pages: [...added(newer), ...kept, ...added(older)],
    isAll: before.every(({ messageId }) => messageId >= reached),
  };
}
