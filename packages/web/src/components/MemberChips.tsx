import { useRef, useState, type KeyboardEvent } from 'react';
import { moveFocus } from './primitives/focus.ts';
import { useMembersWords } from '../i18n/members.ts';
import { PlainButton } from './primitives/Button.tsx';
import { Avatar } from './Avatar.tsx';
import { Icon, UsersRound, X } from './icons.ts';
import { isForInputMethod } from './inputMethod.ts';
import type { MemberSelection } from './memberSelection.ts';
import type { MemberSection } from './memberSections.ts';
import styles from './MemberChips.module.css';

interface MemberChipsProps extends MemberSelection {
  readonly sections: readonly MemberSection[];
  readonly onEmpty: () => void;
}

export function MemberChips({ sections, onEmpty, ...picked }: MemberChipsProps) {
  const words = useMembersWords().picker;
  const list = useRef<HTMLUListElement>(null);
  const [reached, setReached] = useState(0);
  const shown = chipsOf(sections, picked);
  const inTabOrder = Math.min(reached, shown.length - 1);

  const focus = (index: number) => {
    setReached(index);
    list.current?.querySelectorAll('button')[index]?.focus();
  };

  const takeBack = (index: number) => {
    // A neighbour takes the focus first, because a removed chip would lose it.
    if (shown.length === 1) onEmpty();
    else focus(index + 1 < shown.length ? index + 1 : index - 1);
    setReached(Math.max(Math.min(index, shown.length - 2), 0));
    shown[index]?.takeBack();
  };

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (isForInputMethod(event)) return;
    const to = moveFocus(event, list.current?.querySelectorAll('button') ?? [], { axis: 'horizontal' });
    if (to !== undefined) setReached(to);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      takeBack(index);
    }
  };

  if (shown.length === 0) return null;
  return (
    <ul ref={list} className={styles['chips']} aria-label={words.chosenList}>
      {shown.map(({ key, name, picture }, index) => (
        <li key={key}>
          <PlainButton
            className={styles['chip']}
            tabIndex={index === inTabOrder ? 0 : -1}
            onClick={() => takeBack(index)}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            {picture}
            <span className={styles['name']} aria-hidden>
              {name}
            </span>
            <Icon of={X} name={words.remove(name)} size={14} />
          </PlainButton>
        </li>
      ))}
    </ul>
  );
}

function chipsOf(sections: readonly MemberSection[], { chosen, onChoose, departments }: MemberSelection) {
  const names = new Map(sections.map(({ key, department }) => [key, department?.name]));
  const members = new Map(sections.flatMap((section) => section.members).map((each) => [each.userId, each]));
  const departmentChips = (departments?.chosen ?? []).map((code) => ({
    key: `department-${code}`,
    // A department that was deleted or is empty can still be removed.
    name: names.get(code) ?? code,
    picture: <Icon of={UsersRound} size={15} strokeWidth={1.75} />,
    takeBack: () => departments?.onChoose(departments.chosen.filter((each) => each !== code)),
  }));
  const memberChips = chosen
    .flatMap((userId) => members.get(userId) ?? [])
    .map(({ userId, fullName, avatarUrl }) => ({
      key: `member-${userId}`,
      name: fullName,
      picture: <Avatar id={userId} name={fullName} picture={avatarUrl} size="chip" />,
      takeBack: () => onChoose(chosen.filter((each) => each !== userId)),
    }));
  return [...departmentChips, ...memberChips];
}
