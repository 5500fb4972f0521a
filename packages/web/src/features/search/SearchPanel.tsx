import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { wordsOf } from '@engawa/folding';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { memberSections } from '../../components/memberSections.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSearchWords } from '../../i18n/search.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import { isNothing, type Hit } from '../../model/timeline/search.ts';
import { browserStorage } from '../../model/browserStorage.ts';
import { Filters } from './Filters.tsx';
import { SearchStatus } from './SearchStatus.tsx';
import { forgetSearches, recentSearches, rememberSearch } from './recent.ts';
import { ResultRow } from './ResultRow.tsx';
import { hitsIn, type Search } from './searching.ts';
import styles from './SearchPanel.module.css';
import { placedMembers, hitSections, namedSections, recentSection, senderSections, type Row, type Section } from './sections.ts';
import { selectCurrent } from '../../model/timeline/state.ts';
import { selectDepartments, selectPeople } from '../../model/people/selectors.ts';
import { selectConversation, selectStream, selectStreamIds } from '../../model/conversations/selectors.ts';
import { selectMessage } from '../../model/outbox/selectors.ts';

export interface SearchPanelProps {
  readonly search: Search;
  readonly addressOf: (conversation: ConversationKey, messageId?: number) => string;
  /** The member chose a conversation or a message in it. */
  readonly onGo: (conversation: ConversationKey, messageId?: number) => void;
  readonly onClose: () => void;
}

const pageRows = 6;
/** Characters. Longer queries could contain more words than the server accepts. */
const longestQuery = 100;

// HTML has no list that leaves the focus in a text field, hence the ARIA roles.
const listbox = { role: 'listbox' } as const;

/**
 * R2.9: a combobox with the results as its list. The focus stays in the field. Arrows walk through the rows, and Enter chooses
 * one.
 */
export function SearchPanel({ search, addressOf, onGo, onClose }: SearchPanelProps) {
  const words = useWords();
  const own = useSearchWords();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const state = useSyncExternalStore(search.subscribe, search.state);
  const { sought, foundBy, pages } = state;
  const [active, setActive] = useState(() => search.place().active);
  /** The text in the field while the sender is picked. */
  const [senderQuery, setSenderQuery] = useState<string>();
  const isPicking = senderQuery !== undefined;
  const members = usePlacedMembers();
  const recent = useRecent();
  const named = useNamed(sought.query, members);
  const isThere = useIsThere(pages);

  const sections = (
    isPicking
      ? senderSections(own, senderQuery, members)
      : [...(isNothing(sought) ? [recentSection(own, recent.queries)] : named), ...hitSections(own, pages, isThere)]
  ).filter(({ rows }) => rows.length > 0);
  const rows = sections.flatMap((section) => section.rows);
  const reached = rows.find(({ key }) => key === active);
  const reachedKey = reached?.key;
  const idOf = (key: string) => `${id}-${key}`;
  const foundWords = useMemo(() => wordsOf(foundBy?.query ?? ''), [foundBy]);

  useOpening(search);
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: search.place().scrollTop });
  }, [search]);
  useEffect(() => {
    search.keepPlace({ active: reachedKey });
    if (reachedKey !== undefined) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [search, reachedKey]);

  /** Picking the sender replaces the field. */
  const takeFocus = useCallback((element: HTMLInputElement | null) => {
    field.current = element;
    // Runs after the dialog has set the initial focus.
    queueMicrotask(() => {
      element?.focus();
      element?.select();
    });
  }, []);

  const take = (row: Row) => {
    switch (row.kind) {
      case 'recent':
        search.change({ query: row.query });
        search.hurry();
        if (field.current) field.current.value = row.query;
        setActive(undefined);
        break;
      case 'member':
        if (!isPicking) recent.remember(sought.query);
        search.change({ senderId: row.member?.userId, ...(isPicking ? {} : { query: '' }) });
        if (field.current && !isPicking) field.current.value = '';
        setActive(undefined);
        setSenderQuery(undefined);
        break;
      case 'stream':
        recent.remember(sought.query);
        // The query was the name of the stream.
        search.change({ query: '' });
        onClose();
        onGo(row.stream.streamId);
        break;
      case 'hit':
        recent.remember(sought.query);
        search.keepPlace({ active: row.key });
        onClose();
        onGo(row.hit.conversation, row.hit.messageId);
        break;
    }
  };

  const walk = (to: number) => {
    const next = rows[Math.min(to, rows.length - 1)];
    setActive(to < 0 ? undefined : next?.key);
    if (to < 0) list.current?.scrollTo({ top: 0 });
    // Loads the next page before the keys reach the end.
    if (to >= rows.length - pageRows) search.more();
  };

  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const at = rows.findIndex(({ key }) => key === reachedKey);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageRows,
      PageUp: Math.max(at - pageRows, 0),
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      walk(to);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (reached) take(reached);
      else if (foundBy === sought && rows.length > 0) walk(0);
      else if (!isPicking) {
        recent.remember(sought.query);
        search.hurry();
      }
    }
  };

  /** Escape goes one step back from any element of the panel. */
  const onEscape = (event: KeyboardEvent) => {
    if (isForInputMethod(event) || event.key !== 'Escape') return;
    // By default the browser empties the field and closes the dialog.
    event.preventDefault();
    event.stopPropagation();
    if (isPicking) setSenderQuery(undefined);
    else onClose();
  };

  const onQuery = (query: string) => {
    if (isPicking) setSenderQuery(query);
    else search.change({ query });
    setActive(undefined);
  };

  return (
    <Dialog heading={words.streamTools.search} onClose={onClose} tall wide>
      <div role="presentation" className={styles['panel']} onKeyDown={onEscape}>
        <div className={styles['top']}>
          <SearchField
            key={String(isPicking)}
            ref={takeFocus}
            label={isPicking ? own.senderSearch : own.field}
            initial={isPicking ? '' : sought.query}
            maxLength={longestQuery}
            onQuery={onQuery}
            onKey={onKey}
            list={{ id: `${id}-list`, active: reached && idOf(reached.key), empty: rows.length === 0 }}
          />
          <Filters
            search={search}
            sought={sought}
            members={members}
            picking={isPicking}
            onPick={() => {
              setActive(undefined);
              setSenderQuery(isPicking ? undefined : '');
            }}
          />
        </div>
        <div
          ref={list}
          id={`${id}-list`}
          {...listbox}
          aria-label={own.results}
          aria-busy={state.looking !== undefined}
          className={styles['list']}
          onScroll={({ currentTarget }) => search.keepPlace({ scrollTop: currentTarget.scrollTop })}
          // Keeps the focus, and with it the keyboard of a telephone, in the field.
          onPointerDown={(event) => event.preventDefault()}
        >
          {sections.map((section, index) => (
            <Group key={section.key} section={section} isNew={sections[index - 1]?.heading !== section.heading}>
              {(row) => (
                <ResultRow
                  key={row.key}
                  id={idOf(row.key)}
                  row={row}
                  words={foundWords}
                  active={row.key === reachedKey}
                  addressOf={addressOf}
                  onTake={() => take(row)}
                />
              )}
            </Group>
          ))}
          <End onReached={search.more} />
        </div>
        <SearchStatus
          search={search}
          state={state}
          isPicking={isPicking}
          isEmpty={rows.length === 0}
          hits={rows.filter(({ kind }) => kind === 'hit').length}
          onForget={recent.queries.length > 0 && isNothing(sought) ? recent.forget : undefined}
        />
      </div>
    </Dialog>
  );
}

function Group({
  section: { heading, rows },
  isNew,
  children,
}: {
  readonly section: Section;
  /** The previous group has another heading. */
  readonly isNew: boolean;
  readonly children: (row: Row) => ReactNode;
}) {
  return (
    <fieldset aria-label={heading} className={styles['group']}>
      {isNew && (
        <span aria-hidden className={styles['heading']}>
          {heading}
        </span>
      )}
      {rows.map(children)}
    </fieldset>
  );
}

/** The end of the list. `onReached` is called when it is almost visible. */
function End({ onReached }: { readonly onReached: () => void }) {
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      // The last entry is the current state.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) onReached();
      },
      { root: element.parentElement, rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  });
  return <span ref={end} aria-hidden className={styles['end']} />;
}

/** Refreshes the results when the panel opens. A search without conditions begins in the current conversation. */
function useOpening(search: Search): void {
  const current = useModel(selectCurrent);
  useEffect(() => {
    const { sought } = search.state();
    if (isNothing(sought) && sought.conversation !== undefined) search.change({ conversation: current });
    search.resume();
    return search.rest;
  }, [search, current]);
}

function usePlacedMembers() {
  const people = useModel(selectPeople);
  const departments = useModel(selectDepartments);
  return useMemo(() => placedMembers(memberSections(people, departments ?? [])), [people, departments]);
}

function useNamed(query: string, members: ReturnType<typeof usePlacedMembers>): readonly Section[] {
  const words = useSearchWords();
  const model = useCommands();
  const streams = useModel(selectStreamIds);
  return useMemo(() => {
    const named = (streams ?? []).flatMap((streamId) => selectStream(model.state(), streamId) ?? []);
    return namedSections(words, query, named, members);
  }, [words, query, model, streams, members]);
}

function useRecent() {
  const memberId = useCommands().session.member?.user_id ?? 0;
  const storage = browserStorage();
  const [queries, setQueries] = useState(() => recentSearches(storage, memberId));
  return {
    queries,
    remember: (query: string) => rememberSearch(storage, memberId, query),
    forget: () => {
      forgetSearches(storage, memberId);
      setQueries([]);
    },
  };
}

/** Whether a hit can still be opened: the message was not deleted, and the member has not left the conversation. */
function useIsThere(pages: Parameters<typeof hitsIn>[0]): (hit: Hit) => boolean {
  const model = useCommands();
  // Renders again when the member leaves a stream.
  useModel(selectStreamIds);
  useModel((state) => hitsIn(pages).filter(({ messageId }) => selectMessage(state, messageId)?.deleted).length);
  return ({ messageId, conversation }) =>
    !selectMessage(model.state(), messageId)?.deleted && selectConversation(model.state(), conversation) !== undefined;
}
