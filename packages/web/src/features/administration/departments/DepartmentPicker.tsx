import { useDeferredValue, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { stepOf } from '../../../components/primitives/focus.ts';
import { ListRow } from '../../../components/primitives/ListRow.tsx';
import { SearchField } from '../../../components/primitives/SearchField.tsx';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { matches } from '../../../i18n/matches.ts';
import listStyles from '../List.module.css';
import styles from './DepartmentPicker.module.css';

export interface DepartmentOption {
  readonly code: string | null;
  readonly name: string;
  readonly above: string;
}

const mostShown = 50;

// HTML has no list of choices that leaves the focus in a text field, so this one uses WAI-ARIA roles.
const listOfOne = { role: 'listbox' } as const;
const optionOf = (chosen: boolean) => ({ role: 'option', 'aria-selected': chosen }) as const;

interface DepartmentPickerProps {
  readonly label: string;
  readonly options: readonly DepartmentOption[];
  readonly chosen?: string | null | undefined;
  readonly onPick: (option: DepartmentOption) => void;
  readonly ref?: RefObject<HTMLInputElement | null> | undefined;
}

/** Picks a department: a combobox by the WAI-ARIA pattern. The arrow keys move through the results, Enter picks one. */
export function DepartmentPicker({ label, options, chosen, onPick, ref }: DepartmentPickerProps) {
  const words = useAdministrationWords().posts;
  const id = useId();
  const picker = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const deferredQuery = useDeferredValue(query);
  const [walkedTo, setWalkedTo] = useState<string | null>();
  const found = useMemo(() => foundBy(options, deferredQuery), [options, deferredQuery]);
  const active = found.find(({ code }) => code === walkedTo) ?? (deferredQuery.trim() === '' ? undefined : found[0]);
  const idOf = ({ code }: DepartmentOption) => `${id}-${code ?? ''}`;

  useEffect(() => {
    if (active) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  // The list may open below the visible part of a scrolling dialog.
  useEffect(() => {
    picker.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const at = found.findIndex((option) => option === active);
    const to = stepOf(event.key, at, found.length, { wraps: true, ends: false });
    if (to !== undefined) {
      event.preventDefault();
      setWalkedTo(found[to]?.code);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // The rendered list may belong to an earlier text.
      const meant = deferredQuery === query ? active : foundBy(options, query)[0];
      if (meant) onPick(meant);
    }
  };

  return (
    <div ref={picker} className={styles['picker']}>
      <SearchField
        {...(ref && { ref })}
        label={label}
        onQuery={(text) => {
          setQuery(text);
          setWalkedTo(undefined);
        }}
        onKey={onKey}
        list={{ id: `${id}-list`, active: active && idOf(active), empty: found.length === 0 }}
      />
      <div ref={list} id={`${id}-list`} {...listOfOne} aria-label={label} className={styles['list']}>
        {found.map((option) => (
          <ListRow
            key={option.code ?? ''}

            id={idOf(option)}
            {...optionOf(option.code === chosen)}
            tabIndex={-1}
            active={option === active}
            className={styles['row']}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
          >
            <span>{option.name}</span>
            {option.above !== '' && <small>{option.above}</small>}
          </ListRow>
        ))}
      </div>
      {found.length === 0 && <output className={listStyles['none']}>{words.noneFound}</output>}
    </div>
  );
}

function foundBy(options: readonly DepartmentOption[], query: string): readonly DepartmentOption[] {
  const found = query.trim() === '' ? options : options.filter(({ name, above }) => matches(query, name, above));
  return found.slice(0, mostShown);
}
