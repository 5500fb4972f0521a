import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useMembersWords } from '../i18n/members.ts';
import { MemberChips } from './MemberChips.tsx';
import { MemberOptions } from './MemberOptions.tsx';
import {
  bestOf,
  optionId,
  optionsOf,
  removeLast,
  toggleOption,
  type Addition,
  type MemberSelection,
  type Option,
} from './memberSelection.ts';
import { foundIn, type MemberSection } from './memberSections.ts';
import styles from './MemberPicker.module.css';
import { stepOf } from './primitives/focus.ts';
import { SearchField } from './primitives/SearchField.tsx';

const pageRows = 6;
const mostNamed = 10;

interface MemberPickerProps extends MemberSelection {
  readonly label: string;
  readonly sections: readonly MemberSection[];
  readonly field: RefObject<HTMLInputElement | null>;
}

/** A WAI-ARIA combobox with a multiple-choice list of members and departments. The focus stays in the search field. */
export function MemberPicker({ label, sections, field, ...picked }: MemberPickerProps) {
  const { chosen, onChoose, departments } = picked;
  const words = useMembersWords().picker;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  // The list renders later than the field, so Enter searches with the latest text.
  const sought = useDeferredValue(query);
  const [reached, setReached] = useState<string>();
  const found = useMemo(() => foundIn(sections, sought), [sections, sought]);
  const options = useMemo(() => found.flatMap(optionsOf), [found]);
  const active = options.find(({ key }) => key === reached) ?? bestOf(found, sought);
  const [added, setAdded] = useState<Addition>();
  const toggle = (option: Option) => setAdded(toggleOption(option, picked));
  const removing: MemberSelection = {
    chosen,
    onChoose: (left) => {
      setAdded(undefined);
      onChoose(left);
    },
    departments: departments && {
      chosen: departments.chosen,
      onChoose: (left) => {
        setAdded(undefined);
        departments.onChoose(left);
      },
    },
  };
  const rememberMissed = useMissedQuery(sections, toggle);

  useEffect(() => {
    if (active) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const at = options.findIndex((option) => option === active);
    const page = { PageDown: Math.min(at + pageRows, options.length - 1), PageUp: Math.max(at - pageRows, 0) }[event.key];
    const to = page ?? stepOf(event.key, at, options.length, { wraps: true, ends: false });
    if (to !== undefined) {
      event.preventDefault();
      setReached(options[to]?.key);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const meant = sought === query ? active : bestOf(foundIn(sections, query), query);
      if (meant) toggle(meant);
      else rememberMissed(query);
      event.currentTarget.select();
    } else if (event.key === 'Backspace' && event.currentTarget.value === '') {
      removeLast(removing);
    } else if (event.key === 'Escape' && event.currentTarget.value !== '') {
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.value = '';
      search('');
    }
  };

  const search = (text: string) => {
    rememberMissed(undefined);
    setQuery(text);
    setReached(undefined);
  };

  return (
    <fieldset aria-labelledby={`${id}-label`} className={styles['picker']}>
      <div className={styles['label']}>
        <span id={`${id}-label`}>{label}</span>
        <output className={styles['count']}>
          {departments ? words.chosenWith(chosen.length, departments.chosen.length) : words.chosen(chosen.length)}
        </output>
      </div>
      <MemberChips sections={sections} {...removing} onEmpty={() => field.current?.focus()} />
      <output className={styles['added']}>{added && <Added {...added} />}</output>
      <SearchField
        ref={field}
        label={words.search}
        onQuery={search}
        onKey={onKey}
        list={{ id: `${id}-list`, active: active && optionId(`${id}-list`, active) }}
      />
      <MemberOptions
        list={list}
        id={`${id}-list`}
        label={label}
        found={found}
        active={active}
        selection={picked}
        onToggle={(option) => {
          setReached(option.key);
          toggle(option);
        }}
      />
      {found.length === 0 && <output className={styles['none']}>{words.noneFound}</output>}
    </fieldset>
  );
}

function Added({ department, members }: Addition) {
  const words = useMembersWords().picker;
  const names = members.slice(0, mostNamed).map(({ fullName }) => fullName);
  return words.added(department, members.length, names);
}

/** Repeats an Enter that found nobody once the readings are loaded, which happens a moment after the names. */
function useMissedQuery(sections: readonly MemberSection[], toggle: (option: Option) => void) {
  const missed = useRef<string>(undefined);
  const makeUp = useEffectEvent((known: readonly MemberSection[]) => {
    const meant = missed.current === undefined ? undefined : bestOf(foundIn(known, missed.current), missed.current);
    if (!meant) return;
    missed.current = undefined;
    toggle(meant);
  });
  useEffect(() => makeUp(sections), [sections]);
  return (query: string | undefined) => {
    missed.current = query;
  };
}
