import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Candidate } from '@engawa/protocol/product';
import { moveFocus } from './primitives/focus.ts';
import { ListRow } from './primitives/ListRow.tsx';
import { matches } from '../i18n/matches.ts';
import { groupByReading } from '../i18n/reading.ts';
import { useSessionWords } from '../i18n/session.ts';
import { Avatar } from './Avatar.tsx';
import styles from './CandidatePicker.module.css';
import { isForInputMethod } from './inputMethod.ts';
import { SearchField } from './primitives/SearchField.tsx';

interface CandidatePickerProps {
  readonly candidates: readonly Candidate[];
  /** Email of the signed-in member. */
  readonly current?: string | undefined;
  readonly busy: boolean;
  readonly onPick: (candidate: Candidate) => void;
}

export function CandidatePicker({ candidates, current, busy, onPick }: CandidatePickerProps) {
  const words = useSessionWords().pick;
  const picker = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  // The list renders later than the field, so Enter searches with the latest text.
  const sought = useDeferredValue(query);
  const groups = useMemo(() => groupsFoundBy(sought, candidates), [sought, candidates]);
  const found = groups.reduce((sum, { items }) => sum + items.length, 0);

  const pick = (candidate: Candidate | undefined) => {
    if (candidate && !busy) onPick(candidate);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    const stops = picker.current?.querySelectorAll<HTMLElement>('input, button') ?? [];
    if (moveFocus(event, stops, { ends: false }) !== undefined) return;
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      pick(groupsFoundBy(query, candidates)[0]?.items[0]);
    }
  };

  return (
    <div ref={picker} role="presentation" className={styles['picker']} data-busy={busy} onKeyDown={onKeyDown}>
      <div className={styles['search']}>
        <SearchField label={words.search} onQuery={setQuery} />
      </div>
      <div className={styles['list']}>
        {groups.map(({ heading = words.otherReadings, items }) => (
          <section key={heading} aria-label={heading}>
            <h3 className={styles['heading']}>{heading}</h3>
            <ul>
              {items.map((candidate) => (
                <li key={candidate.email}>
                  <ListRow className={styles['member']} aria-disabled={busy} onClick={() => pick(candidate)}>
                    <Member candidate={candidate} current={candidate.email === current} />
                  </ListRow>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <output className={styles['found']}>{found > 0 ? words.found(found) : words.noneFound}</output>
    </div>
  );
}

function groupsFoundBy(query: string, candidates: readonly Candidate[]) {
  const found = candidates.filter(({ full_name, reading, title, department, email }) =>
    matches(query, full_name, reading, title, department, email),
  );
  return groupByReading(found, ({ reading }) => reading);
}

function Member({ candidate, current }: { readonly candidate: Candidate; readonly current: boolean }) {
  const words = useSessionWords().pick;
  const { email, full_name, reading, title, department, avatar_url } = candidate;
  return (
    <>
      <Avatar id={colourOf(email)} name={full_name} picture={avatar_url ?? undefined} size="header" />
      <span className={styles['who']}>
        <span className={styles['name']}>{full_name}</span>
        <span className={styles['reading']}>{reading}</span>
        <span className={styles['place']}>{[department, title].filter((part) => part !== '').join('\u3000')}</span>
      </span>
      {current && <span className={styles['current']}>{words.current}</span>}
    </>
  );
}

/** The colour is derived from the address, because a candidate has no id. */
function colourOf(email: string): number {
  return [...email].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}
