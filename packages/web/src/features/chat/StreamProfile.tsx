import { Avatar } from '../../components/Avatar.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { scrollableByKeyboard } from '../../components/scrollable.ts';
import { usePeople } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { StreamView } from '../../model/view.ts';
import styles from './StreamProfile.module.css';

/** R2.11.1 as far as it goes: the stream's picture, name, description and members. */
export function StreamProfile({ stream, onClose }: { readonly stream: StreamView; readonly onClose: () => void }) {
  const all = useWords();
  const words = all.streamTools;
  const members = new Set(stream.subscribers);
  const people = usePeople().filter(({ userId }) => members.has(userId));

  return (
    <Dialog heading={words.profileHeading} onClose={onClose}>
      <div className={styles['profile']} ref={scrollableByKeyboard}>
        <div className={styles['stream']}>
          <Avatar id={stream.streamId} name={stream.name} picture={stream.profile} size="profile" />
          <p className={styles['name']}>{stream.name}</p>
        </div>
        <h3>{words.description}</h3>
        <p className={styles['description']}>{stream.description || words.noDescription}</p>
        <h3>
          {words.membersHeading} {all.inParentheses(stream.subscribers.length)}
        </h3>
        <ul>
          {people.map(({ userId, fullName, avatarUrl }) => (
            <li key={userId}>
              <Avatar id={userId} name={fullName} picture={avatarUrl} size="message" />
              <span>{fullName}</span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
