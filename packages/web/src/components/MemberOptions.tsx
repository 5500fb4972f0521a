import type { RefObject } from 'react';
import { useMembersWords } from '../i18n/members.ts';
import { ListRow } from './primitives/ListRow.tsx';
import { Avatar } from './Avatar.tsx';
import { Check, Minus, UsersRound } from './icons.ts';
import { countChosen, optionId, optionsOf, type MemberSelection, type Option } from './memberSelection.ts';
import type { MemberSection } from './memberSections.ts';
import styles from './MemberPicker.module.css';

// HTML has no multiple-choice list that leaves the focus in a text field, hence the ARIA roles.
const multiList = { role: 'listbox', 'aria-multiselectable': true } as const;
const multiOption = (chosen: boolean) => ({ role: 'option', 'aria-selected': chosen }) as const;

interface MemberOptionsProps {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly id: string;
  readonly label: string;
  readonly found: readonly MemberSection[];
  readonly active: Option | undefined;
  readonly selection: MemberSelection;
  readonly onToggle: (option: Option) => void;
}

export function MemberOptions({ list, id, label, found, active, selection, onToggle }: MemberOptionsProps) {
  const words = useMembersWords().picker;
  const chosenIn = countChosen(selection);
  return (
    <div
      ref={list}
      id={id}
      {...multiList}
      aria-label={label}
      className={styles['list']}
      onPointerDown={(event) => event.preventDefault()}
    >
      {found.map((section) => (
        <fieldset key={section.key} aria-label={section.department?.name ?? words.others} className={styles['section']}>
          {optionsOf(section).map((option) => (
            <Row
              key={option.key}
              id={optionId(id, option)}
              option={option}
              department={section.department?.name ?? ''}
              chosen={chosenIn(option)}
              active={option.key === active?.key}
              onToggle={() => onToggle(option)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly option: Option;
  readonly department: string;
  readonly chosen: number;
  readonly active: boolean;
  readonly onToggle: () => void;
}

function Row({ id, option, department, chosen, active, onToggle }: RowProps) {
  const words = useMembersWords().picker;
  const { member, userIds } = option;
  const all = chosen === userIds.length;
  return (
    <ListRow
      id={id}
      {...multiOption(all)}
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
