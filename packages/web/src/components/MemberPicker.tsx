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
import { stepOf } from './primitives/focus.ts';
import { useMembersWords } from '../i18n/members.ts';
import { ListRow } from './primitives/ListRow.tsx';
import { Avatar } from './Avatar.tsx';
import { Check, Minus, UsersRound } from './icons.ts';
import { foundIn, isNamed, type Member, type MemberSection, type PickedDepartments } from './memberSections.ts';
import { MemberChips } from './MemberChips.tsx';
import styles from './MemberPicker.module.css';
import { SearchField } from './primitives/SearchField.tsx';

/** An option of the list: a member, or a whole department. */
interface Option {
  readonly key: string;
  readonly userIds: readonly number[];
  readonly member: Member | undefined;
  /** The code of the department; empty for a member. */
  readonly code: string;
}

const pageRows = 6;

// HTML has no multiple-choice list that leaves the focus in a text field, hence the ARIA roles.
const listOfMany = { role: 'listbox', 'aria-multiselectable': true } as const;
const optionOfMany = (chosen: boolean) => ({ role: 'option', 'aria-selected': chosen }) as const;

/**
 * Picks single members or whole departments: a WAI-ARIA combobox with a multiple-choice list. The focus stays in the search
 * field. Arrows walk through the list, Enter toggles an option, Backspace in the empty field removes the last one.
 */
export function MemberPicker({
  label,
  sections,
  chosen,
  onChoose,
  departments,
  field,
}: {
  readonly label: string;
  readonly sections: readonly MemberSection[];
  /** User ids in the order of picking. */
  readonly chosen: readonly number[];
  readonly onChoose: (chosen: readonly number[]) => void;
  /** If present, departments are picked as such. Otherwise picking a department picks its current members. */
  readonly departments?: PickedDepartments | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
}) {
  const words = useMembersWords().picker;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  // The list is deferred. Enter must use the latest text.
  const sought = useDeferredValue(query);
  const [reached, setReached] = useState<string>();
  /** A query that Enter found nobody for. Readings load a moment after names. */
  const missed = useRef<string>(undefined);
  const found = useMemo(() => foundIn(sections, sought), [sections, sought]);
  const options = useMemo(() => found.flatMap(optionsOf), [found]);
  const isChosen = new Set(chosen);
  const active = options.find(({ key }) => key === reached) ?? bestOf(found, sought);
  const idOf = (key: string) => `${id}-${key}`;

  useEffect(() => {
    if (active) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const toggle = ({ userIds, code }: Option) => {
    if (departments && code !== '') {
      const others = departments.chosen.filter((each) => each !== code);
      departments.onChoose(others.length < departments.chosen.length ? others : [...others, code]);
      return;
    }
    const all = userIds.every((userId) => isChosen.has(userId));
    if (all) onChoose(chosen.filter((userId) => !userIds.includes(userId)));
    else onChoose([...new Set([...chosen, ...userIds])]);
  };

  const makeUp = useEffectEvent((known: readonly MemberSection[]) => {
    const meant = missed.current === undefined ? undefined : bestOf(foundIn(known, missed.current), missed.current);
    if (!meant) return;
    missed.current = undefined;
    toggle(meant);
  });

  useEffect(() => makeUp(sections), [sections]);

  const howManyChosen = ({ userIds, code }: Option) => {
    if (departments && code !== '') return departments.chosen.includes(code) ? userIds.length : 0;
    return userIds.filter((userId) => isChosen.has(userId)).length;
  };

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
      else missed.current = query;
      // The next input replaces the query.
      event.currentTarget.select();
    } else if (event.key === 'Backspace' && event.currentTarget.value === '') {
      if (chosen.length > 0) onChoose(chosen.slice(0, -1));
      else departments?.onChoose(departments.chosen.slice(0, -1));
    } else if (event.key === 'Escape' && event.currentTarget.value !== '') {
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.value = '';
      search('');
    }
  };

  const search = (text: string) => {
    missed.current = undefined;
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
      <MemberChips
        sections={sections}
        chosen={chosen}
        onChoose={onChoose}
        departments={departments}
        onEmpty={() => field.current?.focus()}
      />
      <SearchField
        ref={field}
        label={words.search}
        onQuery={search}
        onKey={onKey}
        list={{ id: `${id}-list`, active: active && idOf(active.key) }}
      />
      <div
        ref={list}
        id={`${id}-list`}
        {...listOfMany}
        aria-label={label}
        className={styles['list']}
        // Keeps the focus, and with it the keyboard of a telephone, in the field.
        onPointerDown={(event) => event.preventDefault()}
      >
        {found.map((section) => (
          <fieldset key={section.key} aria-label={section.department?.name ?? words.others} className={styles['section']}>
            {optionsOf(section).map((option) => (
              <Row
                key={option.key}
                id={idOf(option.key)}
                option={option}
                department={section.department?.name ?? ''}
                chosen={howManyChosen(option)}
                active={option.key === active?.key}
                onToggle={() => {
                  setReached(option.key);
                  toggle(option);
                }}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {found.length === 0 && <output className={styles['none']}>{words.noneFound}</output>}
    </fieldset>
  );
}

function optionsOf({ key, department, members }: MemberSection): readonly Option[] {
  const whole = department ? [{ key: `${key}-all`, userIds: department.userIds, member: undefined, code: key }] : [];
  const each = members.map((member) => ({ key: `${key}-${member.userId}`, userIds: [member.userId], member, code: '' }));
  return [...whole, ...each];
}

/** The option that Enter toggles after a search: a department with that name, else the first member found. */
function bestOf(found: readonly MemberSection[], query: string): Option | undefined {
  if (query.trim() === '') return undefined;
  const named = found.find((section) => isNamed(section, query));
  if (named) return optionsOf(named)[0];
  return found.flatMap(optionsOf).find(({ member }) => member);
}

function Row({
  id,
  option: { member, userIds },
  department,
  chosen,
  active,
  onToggle,
}: {
  readonly id: string;
  readonly option: Option;
  readonly department: string;
  /** How many of the option's members are picked. */
  readonly chosen: number;
  readonly active: boolean;
  readonly onToggle: () => void;
}) {
  const words = useMembersWords().picker;
  const all = chosen === userIds.length;
  return (
    <ListRow
      id={id}
      {...optionOfMany(all)}
      tabIndex={-1}
      active={active}
      data-whole={!member || undefined}
      className={styles['row']}
      onClick={onToggle}
    >
      {member ? (
        <>
          <Avatar id={member.userId} name={member.fullName} picture={member.avatarUrl} size="message" />
          <span className={styles['name']}>{member.fullName}</span>
          <span className={styles['reading']}>{member.reading}</span>
        </>
      ) : (
        <>
          <span className={styles['tile']}>
            <UsersRound aria-hidden size={18} strokeWidth={1.75} />
          </span>
          <span className={styles['name']}>{words.everyone(department)}</span>
          <span className={styles['reading']}>{words.share(chosen, userIds.length)}</span>
        </>
      )}
      <span className={styles['tick']} data-part={chosen > 0 && !all ? true : undefined} aria-hidden>
        {all ? <Check size={14} strokeWidth={2.5} /> : chosen > 0 && <Minus size={14} strokeWidth={2.5} />}
      </span>
    </ListRow>
  );
}
