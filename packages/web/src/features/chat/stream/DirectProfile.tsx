import { ConversationPicture } from '../../../components/ConversationPicture.tsx';
import { Dialog } from '../../../components/primitives/Dialog.tsx';
import { Face } from '../../../components/Face.tsx';
import { MemberButton } from '../../../components/MemberButton.tsx';
import { scrollableByKeyboard } from '../../../components/primitives/scrollable.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import type { DirectView } from '../../../model/conversations/selectors.ts';
import styles from './StreamProfile.module.css';
import { selectMe } from '../../../model/people/selectors.ts';
import { useModel } from '../../../hooks/model.ts';

/** R2.11.1: the participants of a direct conversation. */
export function DirectProfile({ direct, onClose }: { readonly direct: DirectView; readonly onClose: () => void }) {
  const words = useWords();
  const streamWords = useStreamWords();
  const me = useModel(selectMe);
  const people = me && !direct.isToSelf ? [...direct.others, me] : direct.others;
  return (
    <Dialog heading={streamWords.profileHeading} onClose={onClose}>
      <div className={styles['profile']} ref={scrollableByKeyboard}>
        <div className={styles['stream']}>
          <ConversationPicture of={direct} size="profile" />
          <p className={styles['name']}>{direct.name}</p>
        </div>
        <h3>
          {streamWords.membersHeading} {words.inParentheses(direct.subscribers.length)}
        </h3>
        <ul className={styles['members']}>
          {people.map(({ userId, fullName, email, avatarUrl }) => (
            <li key={userId}>
              <MemberButton userId={userId} name={fullName} className={styles['member']}>
                <Face id={userId} name={fullName} picture={avatarUrl} size="message" showsPresence />
                <span>
                  {fullName}
                  <span className={styles['address']}>{email}</span>
                </span>
              </MemberButton>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
