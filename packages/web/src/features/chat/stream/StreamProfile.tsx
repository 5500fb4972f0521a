import { useDeferredValue, useMemo, useState } from 'react';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Button, TextButton } from '../../../components/primitives/Button.tsx';
import { Avatar } from '../../../components/Avatar.tsx';
import { Choice } from '../../../components/primitives/Choice.tsx';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { Icon, LogOut, Pencil, UserMinus, UserPlus } from '../../../components/icons.ts';
import { inOrder, type Member } from '../../../components/memberSections.ts';
import type { MenuItem } from '../../../components/primitives/Menu.tsx';
import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import { lazyPanel } from '../../../components/lazyComponent.tsx';
import { SearchField } from '../../../components/primitives/SearchField.tsx';
import { matches } from '../../../i18n/matches.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import { staysIn } from '../../../model/streams/streamRights.ts';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import { Markup } from '../message/Markup.tsx';
import { EditStream, InviteMembers, LeaveStream, RemoveMember } from './StreamForms.tsx';
import { MemberRow } from './MemberRow.tsx';
import styles from './StreamProfile.module.css';
import { useDenialReason } from './streamActions.ts';
import { selectDepartments, selectMe } from '../../../model/people/selectors.ts';
import { selectPeople } from '../../../model/people/peopleList.ts';
import { useModel } from '../../../hooks/model.ts';

const StreamFiles = lazyPanel(async () => (await import('./StreamFiles.tsx')).StreamFiles);

/** Limit of listed members: an organisation may have ten thousand. */
const mostListed = 100;
const searchedFrom = 10;

type Form = 'edit' | 'invite' | 'leave' | { readonly remove: Member };

interface StreamProfileProps {
  readonly stream: StreamView;
  readonly onClose: () => void;
}

/** R2.11.1: the profile of a stream and the forms to change it. */
export function StreamProfile(props: StreamProfileProps) {
  const [form, setForm] = useState<Form>();
  const back = { stream: props.stream, onClose: () => setForm(undefined) };
  if (form === undefined) return <Overview {...props} onForm={setForm} />;
  if (form === 'edit') return <EditStream {...back} />;
  if (form === 'invite') return <InviteMembers {...back} />;
  if (form === 'leave') return <LeaveStream {...back} />;
  return <RemoveMember {...back} member={form.remove} />;
}

function Overview({ stream, onClose, onForm }: StreamProfileProps & { readonly onForm: (form: Form) => void }) {
  const all = useWords();
  const words = useStreamWords();
  const reasonFor = useDenialReason(stream);
  const [shown, setShown] = useState<'members' | 'files'>('members');

  return (
    <Dialog heading={words.profileHeading} onClose={onClose} tall>
      <div className={styles['profile']} ref={scrollableByKeyboard}>
        <div className={styles['stream']}>
          <Avatar id={stream.streamId} name={stream.name} picture={stream.profile} size="profile" />
          <p className={styles['name']}>{stream.name}</p>
        </div>
        <Acts
          acts={[
            { name: words.edit, icon: Pencil, reason: reasonFor('describe'), run: () => onForm('edit') },
            { name: words.invite, icon: UserPlus, reason: reasonFor('invite'), run: () => onForm('invite') },
            { name: words.leave, icon: LogOut, reason: reasonFor('leave'), run: () => onForm('leave') },
          ]}
        />
        <h3>{words.description}</h3>
        <div className={styles['description']}>
          {stream.description ? <Markup source={stream.description} dialect="engawa" alerted={false} /> : words.noDescription}
        </div>
        <div className={styles['shown']}>
          <Choice
            label={words.profileHeading}
            labelled={false}
            options={[
              { value: 'members', label: `${words.membersHeading} ${all.inParentheses(stream.subscribers.length)}` },
              { value: 'files', label: words.files.heading },
            ]}
            chosen={shown}
            onChoose={setShown}
          />
        </div>
        {shown === 'files' ? (
          <StreamFiles conversation={stream.streamId} onLeave={onClose} />
        ) : (
          <Members stream={stream} onRemove={(remove) => onForm({ remove })} />
        )}
      </div>
    </Dialog>
  );
}

function Acts({ acts }: { readonly acts: readonly MenuItem[] }) {
  const words = useStreamWords();
  return (
    <>
      <div className={styles['acts']}>
        {acts.map(({ name, icon, reason, run }) => (
          <Button key={name} size="medium" aria-disabled={reason !== undefined} onClick={reason === undefined ? run : undefined}>
            <Icon of={icon} size={16} />
            {name}
          </Button>
        ))}
      </div>
      {acts.map(
        ({ name, reason }) =>
          reason !== undefined && (
            <p key={name} className={styles['reason']}>
              {words.reasonOf(name, reason)}
            </p>
          ),
      )}
    </>
  );
}

function Members({ stream, onRemove }: { readonly stream: StreamView; readonly onRemove: (member: Member) => void }) {
  const words = useStreamWords();
  const [query, setQuery] = useState('');
  const [listed, setListed] = useState(mostListed);
  const members = useMembers(stream.subscribers);
  const sought = useDeferredValue(query);
  const found = members.filter(({ fullName, reading, email }) => matches(sought, fullName, reading, email));
  const mayRemove = useDenialReason(stream)('remove') === undefined;
  const departments = useModel(selectDepartments) ?? [];
  const me = useModel(selectMe)?.userId;

  return (
    <>
      {members.length >= searchedFrom && <SearchField label={words.findMember} onQuery={setQuery} />}
      {found.length === 0 && <output className={styles['none']}>{words.noneFound}</output>}
      <ul className={styles['members']}>
        {found.slice(0, listed).map((member) => (
          <li key={member.userId}>
            <MemberRow member={member} />
            {mayRemove && member.userId !== me && !staysIn(departments, stream, member.userId) && (
              <IconButton
                className={styles['remove']}
                name={words.removeOf(member.fullName)}
                icon={UserMinus}
                size="small"
                tooltip="none"
                title={words.removeOf(member.fullName)}
                onClick={() => onRemove(member)}
              />
            )}
          </li>
        ))}
      </ul>
      {found.length > listed && (
        <TextButton className={styles['more']} onClick={() => setListed(listed + mostListed)}>
          {words.moreMembers(found.length - listed)}
        </TextButton>
      )}
    </>
  );
}

function useMembers(subscribers: readonly number[]): readonly Member[] {
  const people = useModel(selectPeople);
  return useMemo(() => {
    const inside = new Set(subscribers);
    return inOrder(people.filter(({ userId }) => inside.has(userId)));
  }, [people, subscribers]);
}
