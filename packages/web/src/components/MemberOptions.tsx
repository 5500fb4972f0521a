import type { RefObject } from 'react';
import { useMembersWords } from '../i18n/members.ts';
import { ListRow } from './primitives/ListRow.tsx';
import { Avatar } from './Avatar.tsx';
import { BotMark } from './BotMark.tsx';
import { Check, Icon, Minus, UsersRound } from './icons.ts';
import { countChosen, optionId, optionsOf, type MemberSelection, type Option } from './memberSelection.ts';
import { foundPeopleKey, type MemberSection } from './memberSections.ts';
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
        <fieldset
          key={section.key}
          aria-label={section.department?.name ?? (section.key.startsWith(foundPeopleKey) ? words.people : words.others)}
          className={styles['section']}
        >
          {optionsOf(section).map((option) => (
            <Row
              key={option.key}
              id={optionId(id, option)}
              option={option}
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

const mostNamed = 5;

interface RowProps {
  readonly id: string;
  readonly option: Option;
  readonly chosen: number;
  readonly active: boolean;
  readonly onToggle: () => void;
}

function Row({ id, option, chosen, active, onToggle }: RowProps) {
  const { picker: words, guests } = useMembersWords();
  const { members, department } = option;
  const [member] = members;
  const all = chosen === members.length;
  const names = members.slice(0, mostNamed).map(({ fullName }) => fullName);
  return (
    <ListRow
      id={id}
      {...multiOption(all)}
      tabIndex={-1}
      active={active}
      data-whole={department ? true : undefined}
      className={styles['row']}
      onClick={onToggle}
    >
      {member && !department ? (
        <>
          <Avatar id={member.userId} name={member.fullName} picture={member.avatarUrl} size="message" />
          <span className={styles['name']}>{member.fullName}</span>
          <BotMark userId={member.userId} />
          <span className={styles['reading']}>
            {[member.reading, member.place, member.isGuest ? guests.guest : ''].filter(Boolean).join('\u3000')}
          </span>
        </>
      ) : (
        <>
          <span className={styles['tile']}>
            <Icon of={UsersRound} size={18} strokeWidth={1.75} />
          </span>
          <span className={styles['name']}>{words.everyone(department?.name ?? '')}</span>
          <span className={styles['reading']}>{words.share(chosen, members.length, names)}</span>
        </>
      )}
      <span className={styles['tick']} data-part={chosen > 0 && !all ? true : undefined} aria-hidden>
        {all ? <Icon of={Check} size={14} strokeWidth={2.5} /> : chosen > 0 && <Icon of={Minus} size={14} strokeWidth={2.5} />}
      </span>
    </ListRow>
  );
}
