import { UnreadCount } from '../../components/UnreadCount.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './DirectsSwitch.module.css';
import { selectDirectUnread, selectTotalUnread } from '../../model/conversations/selectors.ts';
import { useModel } from '../../hooks/model.ts';

const kinds = ['streams', 'directs'] as const;
type Kind = (typeof kinds)[number];

/** R1.8: switches between streams and direct messages, with the unread count of each. The other list is a link (R2.2). */
export function DirectsSwitch({ shown, address }: { readonly shown: Kind; readonly address: string }) {
  const words = useWords().direct;
  const inDirects = useModel(selectDirectUnread);
  const unread = { streams: useModel(selectTotalUnread) - inDirects, directs: inDirects };
  return (
    <nav className={styles['switch']} aria-label={words.kinds}>
      {kinds.map((kind) => {
        const content = (
          <>
            {words[kind]}
            {unread[kind] > 0 && <UnreadCount count={unread[kind]} muted={false} />}
          </>
        );
        return kind === shown ? (
          <span key={kind} aria-current="page">
            {content}
          </span>
        ) : (
          <a key={kind} href={address}>
            {content}
          </a>
        );
      })}
    </nav>
  );
}
