import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { wordsOf } from '@engawa/folding';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSearchWords } from '../../i18n/search.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import { isNothing } from '../../model/timeline/search.ts';
import { Filters } from './Filters.tsx';
import { SearchStatus } from './SearchStatus.tsx';
import { SearchList } from './SearchList.tsx';
import type { Search } from './searching.ts';
import styles from './SearchPanel.module.css';
import type { Row } from './sections.ts';
import { takeRow } from './takeRow.ts';
import { useActiveRow } from './useActiveRow.ts';
import { useSearchSections } from './useSearchSections.ts';
import { selectCurrent } from '../../model/timeline/state.ts';

export interface SearchPanelProps {
  readonly search: Search;
  readonly addressOf: (conversation: ConversationKey, messageId?: number) => string;
  readonly onGo: (conversation: ConversationKey, messageId?: number) => void;
  readonly onClose: () => void;
}

/** Characters. Longer queries could contain more words than the server accepts. */
const longestQuery = 100;

/** R2.9: a combobox with the results as its list. The focus stays in the field. Arrows move through the rows, Enter chooses. */
export function SearchPanel({ search, addressOf, onGo, onClose }: SearchPanelProps) {
  const words = useWords();
  const own = useSearchWords();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const state = useSyncExternalStore(search.subscribe, search.state);
  const { conditions, foundBy } = state;
  const [senderQuery, setSenderQuery] = useState<string>();
  const isPicking = senderQuery !== undefined;
  const { sections, members, recent } = useSearchSections(state, senderQuery);
  const rows = sections.flatMap((section) => section.rows);
  const idOf = (key: string) => `${id}-${key}`;
  const foundWords = useMemo(() => wordsOf(foundBy?.query ?? ''), [foundBy]);

  useOpening(search);
  const { reached, walk, walkBy, reset } = useActiveRow(search, rows, list);

  const { takeFocus, fill } = useFocusedField();

  const onRefill = (query: string | undefined) => {
    if (query !== undefined) fill(query);
    reset();
    setSenderQuery(undefined);
  };

  const take = (row: Row) => takeRow(row, { search, isPicking, remember: recent.remember, onRefill, onGo, onClose });

  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (walkBy(event.key)) event.preventDefault();
    else if (event.key === 'Enter') {
      event.preventDefault();
      if (reached) take(reached);
      else if (foundBy === conditions && rows.length > 0) walk(0);
      else if (!isPicking) {
        recent.remember(conditions.query);
        search.hurry();
      }
    }
  };

  const goBack = () => (isPicking ? setSenderQuery(undefined) : onClose());

  const onQuery = (query: string) => {
    if (isPicking) setSenderQuery(query);
    else search.change({ query });
    reset();
  };

  return (
    <Dialog heading={words.streamTools.search} onClose={onClose} tall wide>
      <div role="presentation" className={styles['panel']} onKeyDown={(event) => handleEscape(event, goBack)}>
        <div className={styles['top']}>
          <SearchField
            key={String(isPicking)}
            ref={takeFocus}
            label={isPicking ? own.senderSearch : own.field}
            initial={isPicking ? '' : conditions.query}
            maxLength={longestQuery}
            onQuery={onQuery}
            onKey={onKey}
            list={{ id: `${id}-list`, active: reached && idOf(reached.key), empty: rows.length === 0 }}
          />
          <Filters
            search={search}
            conditions={conditions}
            members={members}
            picking={isPicking}
            onPick={() => {
              reset();
              setSenderQuery(isPicking ? undefined : '');
            }}
          />
        </div>
        <SearchList
          list={list}
          id={`${id}-list`}
          idOf={idOf}
          search={search}
          busy={state.looking !== undefined}
          sections={sections}
          words={foundWords}
          active={reached?.key}
          addressOf={addressOf}
          onTake={take}
        />
        <SearchStatus
          search={search}
          state={state}
          isPicking={isPicking}
          isEmpty={rows.length === 0}
          hits={rows.filter(({ kind }) => kind === 'hit').length}
          onForget={recent.queries.length > 0 && isNothing(conditions) ? recent.forget : undefined}
        />
      </div>
    </Dialog>
  );
}

/** Refreshes the results when the panel opens. A search without conditions begins in the current conversation. */
function useOpening(search: Search): void {
  const current = useModel(selectCurrent);
  useEffect(() => {
    const { conditions } = search.state();
    if (isNothing(conditions) && conditions.conversation !== undefined) search.change({ conversation: current });
    search.resume();
    return search.rest;
  }, [search, current]);
}

function useFocusedField() {
  const field = useRef<HTMLInputElement>(null);
  const takeFocus = useCallback((element: HTMLInputElement | null) => {
    field.current = element;
    // Runs after the dialog has set the initial focus.
    queueMicrotask(() => {
      element?.focus();
      element?.select();
    });
  }, []);
  const fill = (text: string) => {
    if (field.current) field.current.value = text;
  };
  return { takeFocus, fill };
}

/** Escape goes one step back from any element of the panel. */
function handleEscape(event: KeyboardEvent, goBack: () => void): void {
  if (isForInputMethod(event) || event.key !== 'Escape') return;
  // The default would empty the field and close the dialog.
  event.preventDefault();
  event.stopPropagation();
  goBack();
}
