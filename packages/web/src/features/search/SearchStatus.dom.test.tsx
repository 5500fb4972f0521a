import { expect, it } from 'vitest';
import { capabilities as all, type Capability } from '@engawa/protocol/product';
import { screenOf } from '../../../test/screen.tsx';
import { en } from '../../i18n/search.en.ts';
import { ja } from '../../i18n/search.ja.ts';
import { isNothing, nothing, type SearchConditions } from '../../model/timeline/search.ts';
import { createSearching, type Searching } from './searching.ts';
import { SearchStatus } from './SearchStatus.tsx';

const dictionaries = { ja, en };
const locales = ['ja', 'en'] as const;
const nowhere = () => Promise.resolve({ hits: [], next: undefined });
const search = createSearching({ conversation: undefined, find: nowhere, after: () => () => undefined });

/** The words below the results of a search that is over and has found nothing. */
async function status(
  capabilities: readonly Capability[],
  conditions: Partial<SearchConditions> = {},
  locale: 'ja' | 'en' = 'ja',
) {
  const sought = { ...nothing, ...conditions };
  const state: Searching = { ...search.state(), conditions: sought, foundBy: isNothing(sought) ? undefined : sought };
  const { container, unmount } = await screenOf(
    () => <SearchStatus search={search} state={state} isPicking={false} isEmpty hits={0} onForget={undefined} />,
    { capabilities, locale },
  );
  const { textContent } = container;
  unmount();
  return textContent;
}

it.each(locales)('[R7.8] A search without hits says that the server finds whole words only (%s)', async (locale) => {
  const words = dictionaries[locale];
  expect(await status([], { query: '会議室' }, locale)).toBe(words.none + words.noneOfWholeWords);
});

it('[R7.8] A search without hits and words does not speak of words', async () => {
  expect(await status([], { hasFile: true })).toBe(ja.none + ja.fewerFilters);
});

it.each(locales)('[R7.8] The empty search promises parts of words only if the server finds them (%s)', async (locale) => {
  const words = dictionaries[locale];
  expect(await status([], {}, locale)).toBe(words.wholeWords);
  expect(await status(all, {}, locale)).toBe(words.advice);
});

it('[R7.8] A search without hits asks for a shorter word if the server finds parts of words', async () => {
  expect(await status(all, { query: '会議室' })).toBe(ja.none + ja.noneAdvice);
});
