import { fakeClock } from '@engawa/client/testing';
import { describe, expect, it } from 'vitest';
import { nothing, type Hit, type HitPage, type SearchBounds, type SearchConditions } from '../../model/timeline/search.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { createSearching, hitsIn, mostHits, pauseMilliseconds, readyRetryMilliseconds } from './searching.ts';

interface Asked {
  readonly conditions: SearchConditions;
  readonly place: SearchBounds;
  readonly signal: AbortSignal;
  answer(found: HitPage | Failure): Promise<void>;
}

const hit = (messageId: number, content = '会議'): Hit => ({
  messageId,
  conversation: 1,
  senderId: 2,
  senderFullName: '佐藤 花子',
  avatarUrl: undefined,
  timestamp: messageId,
  content,
  dialect: 'engawa',
  topic: '',
  file: undefined,
});
const page = (next: number | undefined, ...found: readonly number[]): HitPage => ({ next, hits: found.map((id) => hit(id)) });

const ids = (hits: readonly Hit[]) => hits.map(({ messageId }) => messageId);

function eg() {
  const clock = fakeClock();
  const asked: Asked[] = [];
  const search = createSearching({
    conversation: 1,
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    find: (conditions, place, signal) =>
      new Promise((resolve) => {
        asked.push({
          conditions,
          place,
          signal,
          async answer(found) {
            resolve(found);
            await new Promise((settled) => setTimeout(settled));
          },
        });
      }),
  });
  const last = () => {
    const newest = asked.at(-1);
    if (!newest) throw new Error('no request was sent');
    return newest;
  };
  const shown = () => ids(hitsIn(search.state().pages));
  /** Searches and answers the request. */
  const found = async (answer: HitPage, query = '会議') => {
    search.change({ query });
    search.hurry();
    await last().answer(answer);
  };
  return { clock, asked, search, last, shown, found };
}

describe('Search requests', () => {
  it('[R2.9.1] The search waits for a pause in typing before it sends a request', async () => {
    const { clock, asked, search, last, shown } = eg();
    for (const query of ['会', '会議', '会議 ']) {
      search.change({ query });
      // Each letter restarts the pause.
      expect(clock.waits()).toEqual([pauseMilliseconds]);
    }
    expect(asked).toEqual([]);
    expect(search.state().looking).toBe('anew');
    await clock.pass(pauseMilliseconds);
    expect(asked).toHaveLength(1);
    expect(last()).toMatchObject({ conditions: { ...nothing, conversation: 1, query: '会議 ' }, place: { before: undefined } });
    await last().answer(page(undefined, 3, 2));
    expect(shown()).toEqual([3, 2]);
    expect(search.state()).toMatchObject({ looking: undefined, next: undefined });
  });

  it('[R2.9.1] The search sends a request at once after a changed condition, and when the member presses Enter', () => {
    const { asked, search } = eg();
    search.change({ hasFile: true });
    expect(asked).toHaveLength(1);
    search.change({ query: '会議' });
    expect(asked).toHaveLength(1);
    search.hurry();
    expect(asked).toHaveLength(2);
  });

  it('[R2.9.1] The search aborts a replaced request and never shows its answer', async () => {
    const { asked, search, shown } = eg();
    search.change({ query: '会議' });
    search.hurry();
    search.change({ query: '昼食' });
    search.hurry();
    expect(asked[0]?.signal.aborted).toBe(true);
    await asked[1]?.answer(page(undefined, 5));
    await asked[0]?.answer(page(undefined, 4));
    expect(shown()).toEqual([5]);
  });

  it('[R2.9.1] A search without words or conditions sends no request and shows no hits', async () => {
    const { clock, asked, search, shown, found } = eg();
    await found(page(undefined, 5));
    search.change({ query: '' });
    expect(shown()).toEqual([]);
    search.change({ query: ' "" ' });
    expect(clock.waits()).toEqual([]);
    search.hurry();
    expect(asked).toHaveLength(1);
  });

  it('[R2.9.1] A query that differs only in kana or spaces sends no second request, and stays as typed', async () => {
    const { clock, asked, search, found } = eg();
    await found(page(undefined, 5), 'カイギ');
    search.change({ query: 'かいぎ ' });
    expect(clock.waits()).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(search.state().conditions.query).toBe('かいぎ ');
  });
});

describe('Further pages of hits', () => {
  it('[R2.9.1] The search appends further pages of hits until the last page', async () => {
    const { asked, search, last, shown, found } = eg();
    await found(page(7, 9, 8));
    search.more();
    search.more();
    expect(asked).toHaveLength(2);
    expect(last().place.before).toBe(7);
    await last().answer(page(undefined, 6, 5));
    expect(shown()).toEqual([9, 8, 6, 5]);
    search.more();
    expect(asked).toHaveLength(2);
  });

  it('[R2.9.1] The search stops loading at the maximum number of hits', async () => {
    const { asked, search, last, shown, found } = eg();
    await found({ next: 1000, hits: Array.from({ length: mostHits - 1 }, (_, index) => hit(5000 - index)) });
    search.more();
    expect(last().place.most).toBe(1);
    await last().answer(page(900, 950));
    expect(shown()).toHaveLength(mostHits);
    search.more();
    expect(asked).toHaveLength(2);
  });

  it('[R2.9.1] The search ranks the hits of each page separately, so that shown hits do not move', async () => {
    const { search, last, found } = eg();
    await found({ next: 7, hits: [hit(9, '東京都'), hit(8, '京都支店')] }, '京都');
    search.more();
    await last().answer({ next: undefined, hits: [hit(6, '東京都'), hit(5, '京都支店')] });
    const pages = search.state().pages.map(({ whole, inOthers }) => [ids(whole), ids(inOthers)]);
    expect(pages).toEqual([
      [[8], [9]],
      [[5], [6]],
    ]);
  });
});

describe('Failures of a search', () => {
  it('[R2.9.1, R8.4] A failed search keeps the shown hits, and again repeats its request', async () => {
    const { asked, search, last, shown, found } = eg();
    await found(page(7, 9));
    search.more();
    await last().answer({ kind: 'network' });
    expect(search.state()).toMatchObject({ failure: { kind: 'network' }, looking: undefined });
    expect(shown()).toEqual([9]);
    search.again();
    expect(last().place.before).toBe(7);
    await last().answer(page(undefined, 6));
    expect(shown()).toEqual([9, 6]);
    expect(asked).toHaveLength(3);
  });

  it('[R2.9.1] Scrolling to the end of the hits does not repeat a failed search', async () => {
    const { asked, search, last, found } = eg();
    await found(page(7, 9));
    search.more();
    await last().answer({ kind: 'network' });
    search.more();
    expect(asked).toHaveLength(2);
    search.rest();
    search.resume();
    await last().answer(page(7, 9));
    search.more();
    expect(asked).toHaveLength(4);
  });

  it('[R2.9.1] The search repeats its request while the index is not ready and the panel is open', async () => {
    const { clock, asked, search, last, found } = eg();
    await found(page(undefined, 9));
    search.change({ hasFile: true });
    await last().answer({ kind: 'not-ready' });
    await clock.pass(readyRetryMilliseconds);
    expect(asked).toHaveLength(3);
    await last().answer({ kind: 'not-ready' });
    search.rest();
    expect(clock.waits()).toEqual([]);
    expect(asked).toHaveLength(3);
  });
});

describe('Opening the panel again', () => {
  it('[R2.9.2] Reopening the search drops deleted hits, adds new ones, updates changed ones, and moves no other', async () => {
    const { search, last, found } = eg();
    await found(page(5, 9, 8, 7));
    search.more();
    await last().answer(page(2, 4, 3));
    search.rest();
    search.resume();
    expect(last().place).toEqual({ before: undefined, most: 25 });
    await last().answer({ next: 1, hits: [hit(10), hit(9), hit(7, '会議です'), hit(4), hit(3), hit(1)] });
    const { pages, next } = search.state();
    expect(pages.map((each) => ids(hitsIn([each])))).toEqual([[10], [9, 7], [4, 3], [1]]);
    expect(hitsIn(pages)[2]?.content).toBe('会議です');
    expect(next).toBe(1);
  });

  it('[R2.9.2] Reopening the search keeps hits that are older than the refreshed part', async () => {
    const { search, last, shown, found } = eg();
    await found(page(2, 9, 3));
    search.resume();
    await last().answer(page(6, 10, 8));
    expect(shown()).toEqual([10, 3, 8]);
    expect(search.state().next).toBe(2);
    search.resume();
    await last().answer({ kind: 'server' });
    expect(shown()).toEqual([10, 3, 8]);
    expect(search.state().failure).toBeUndefined();
  });

  it('[R2.9.1] Reopening the search sends a request that had no answer when the panel closed', () => {
    const { asked, search } = eg();
    search.change({ query: '会議' });
    search.rest();
    expect(asked).toEqual([]);
    search.resume();
    expect(asked).toHaveLength(1);
  });

  it('[R2.9.2] The search stores the scroll position and the active row until its conditions change', async () => {
    const { search, found } = eg();
    await found(page(undefined, 9));
    search.keepPosition({ scrollTop: 300 });
    search.keepPosition({ active: 'hit-9' });
    expect(search.position()).toEqual({ active: 'hit-9', scrollTop: 300 });
    search.change({ query: '昼食' });
    expect(search.position()).toEqual({ active: undefined, scrollTop: 0 });
  });
});
