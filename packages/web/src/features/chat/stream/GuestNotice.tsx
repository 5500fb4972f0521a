import { useMemo, useState } from 'react';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import { Tooltip } from '../../../components/primitives/Tooltip.tsx';
import { Globe, Icon } from '../../../components/icons.ts';
import { useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useMembersWords } from '../../../i18n/members.ts';
import { selectMe } from '../../../model/people/selectors.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';
import { MemberRow } from './MemberRow.tsx';
import profile from './StreamProfile.module.css';
import styles from './GuestNotice.module.css';

const mostNamed = 10;

/** Names in the header the guests who read the conversation, except the member themselves. */
export function GuestNotice({ memberIds }: { readonly memberIds: readonly number[] }) {
  const all = useWords();
  const words = useMembersWords().guests;
  const guests = useGuests(memberIds);
  const [open, setOpen] = useState(false);
  if (guests.length === 0) return null;
  const names = guests.slice(0, mostNamed).map(({ fullName }) => fullName);
  const text = words.names(names, guests.length);
  return (
    <>
      <Tooltip text={text} side="bottomStart">
        <PlainButton
          className={styles['notice']}
          aria-haspopup="dialog"
          aria-label={`${words.here} ${text}`}
          onClick={() => setOpen(true)}
        >
          <Icon of={Globe} size={14} strokeWidth={1.9} />
          <span>{words.here}</span>
        </PlainButton>
      </Tooltip>
      {open && (
        <Dialog heading={`${words.heading} ${all.inParentheses(guests.length)}`} onClose={() => setOpen(false)}>
          <div className={profile['profile']} ref={scrollableByKeyboard}>
            <p className={styles['advice']}>{words.advice}</p>
            <ul className={profile['members']}>
              {guests.map((guest) => (
                <li key={guest.userId}>
                  <MemberRow member={guest} />
                </li>
              ))}
            </ul>
          </div>
        </Dialog>
      )}
    </>
  );
}

function useGuests(memberIds: readonly number[]) {
  const me = useModel(selectMe)?.userId;
  const people = useModel(selectPeople);
  return useMemo(() => {
    const inside = new Set(memberIds);
    return people.filter(({ userId, isGuest }) => isGuest && userId !== me && inside.has(userId));
  }, [people, memberIds, me]);
}
