import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useSearchWords } from '../../i18n/search.ts';
import type { ConversationKey } from '../../model/streams/conversation.ts';
import { ResultRow } from './ResultRow.tsx';
import type { Search } from './searching.ts';
import styles from './SearchPanel.module.css';
import type { Row, Section } from './sections.ts';

// HTML has no list that leaves the focus in a text field, hence the ARIA roles.
const listbox = { role: 'listbox' } as const;

interface SearchListProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly id: string;
  readonly idOf: (key: string) => string;
  readonly search: Search;
  readonly busy: boolean;
  readonly sections: readonly Section[];
  readonly words: readonly string[];
  readonly active: string | undefined;
  readonly addressOf: (conversation: ConversationKey, messageId?: number) => string;
  readonly onTake: (row: Row) => void;
}

export function SearchList({ list, id, idOf, search, busy, sections, words, active, addressOf, onTake }: SearchListProps) {
  const own = useSearchWords();
  return (
    <div
      ref={list}
      id={id}
      {...listbox}
      aria-label={own.results}
      aria-busy={busy}
      className={styles['list']}
      onScroll={({ currentTarget }) => search.keepPosition({ scrollTop: currentTarget.scrollTop })}
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
              words={words}
              active={row.key === active}
              addressOf={addressOf}
              onTake={() => onTake(row)}
            />
          )}
        </Group>
      ))}
      <End onReached={search.more} />
    </div>
  );
}

interface GroupProps {
  readonly section: Section;
  readonly isNew: boolean;
  readonly children: (row: Row) => ReactNode;
}

function Group({ section: { heading, rows }, isNew, children }: GroupProps) {
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
