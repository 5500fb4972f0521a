import { useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { scrollableByKeyboard } from '../../components/scrollable.ts';
import { WhenThere } from '../../components/WhenThere.tsx';
import { usePeople } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { StreamView } from '../../model/view.ts';
import styles from './StreamProfile.module.css';
import { streamFilesPart } from './toolParts.ts';

/** R2.11.1 as far as it goes: the stream's picture, name, description, members and files. */
export function StreamProfile({ stream, onClose }: { readonly stream: StreamView; readonly onClose: () => void }) {
  const all = useWords();
  const words = all.streamTools;
  const [shown, setShown] = useState<'members' | 'files'>('members');
  const members = new Set(stream.subscribers);
  const people = usePeople().filter(({ userId }) => members.has(userId));

  return (
    <Dialog heading={words.profileHeading} tall onClose={onClose}>
      <div className={styles['profile']} ref={scrollableByKeyboard}>
        <div className={styles['stream']}>
          <Avatar id={stream.streamId} name={stream.name} picture={stream.profile} size="profile" />
          <p className={styles['name']}>{stream.name}</p>
        </div>
        <h3>{words.description}</h3>
        <p className={styles['description']}>{stream.description || words.noDescription}</p>
        <div className={styles['shown']}>
          <Choice
            label={words.profileHeading}
            labelled={false}
            options={[
              { value: 'members', label: `${words.membersHeading} ${all.inParentheses(stream.subscribers.length)}` },
              { value: 'files', label: all.files.heading },
            ]}
            chosen={shown}
            onChoose={setShown}
          />
        </div>
        {shown === 'files' ? (
          <WhenThere part={streamFilesPart}>
            {({ StreamFiles }) => <StreamFiles conversation={stream.streamId} onLeave={onClose} />}
          </WhenThere>
        ) : (
          <ul className={styles['members']}>
            {people.map(({ userId, fullName, avatarUrl }) => (
              <li key={userId}>
                <Avatar id={userId} name={fullName} picture={avatarUrl} size="message" />
                <span>{fullName}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
