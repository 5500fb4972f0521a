import { usePresence, useStatus } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { Avatar } from './Avatar.tsx';
import styles from './Face.module.css';

/**
 * A member's avatar, with a mark for who is busy and, where that is wanted, for who is there: told apart by shape as
 * well as by colour, and in words for those who see neither.
 */
export function Face({
  id,
  name,
  picture,
  size,
  showsPresence = false,
}: Parameters<typeof Avatar>[0] & { readonly showsPresence?: boolean }) {
  const words = useWords();
  const presence = usePresence(id)?.kind;
  const busy = useStatus(id)?.busy ?? false;
  const there = showsPresence && presence !== 'offline' ? presence : undefined;
  const mark = busy ? 'busy' : there;
  const said = { busy: words.memberCard.busy, online: words.isOnline, idle: words.memberCard.idle };
  return (
    <span className={styles['face']} data-size={size} data-mark={mark}>
      <Avatar id={id} name={name} picture={picture} size={size} />
      {mark && <span className={styles['words']}>{said[mark]}</span>}
    </span>
  );
}
