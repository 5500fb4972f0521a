import { useSyncExternalStore } from 'react';
import { PlainButton } from '../components/primitives/Button.tsx';
import { Icon, WifiOff } from '../components/icons.ts';
import type { Dictionary } from '../i18n/ja.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { type Connection, selectConnection } from '../model/connection/state.ts';
import styles from './ConnectionNotice.module.css';
import { useModel } from '../hooks/model.ts';

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function ConnectionNotice() {
  const words = useWords().connection;
  const connection = useModel(selectConnection);
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

  const notice = noticeOf(words, connection, online);
  return (
    <output>
      {notice && (
        <span className={styles['notice']}>
          <Icon of={WifiOff} size={16} strokeWidth={1.9} />
          {notice.text}
          {notice.reload !== undefined && <PlainButton onClick={() => location.reload()}>{notice.reload}</PlainButton>}
        </span>
      )}
    </output>
  );
}

export function noticeOf(
  words: Dictionary['connection'],
  connection: Connection,
  networkIsUp: boolean,
): { readonly text: string; readonly reload?: string } | undefined {
  if (connection === 'signed-out') return { text: words.signedOut, reload: words.signInAgain };
  if (connection === 'broken') return { text: words.broken, reload: words.reload };
  if (!networkIsUp) return { text: words.offline };
  if (connection === 'chat-server-away') return { text: words.chatServerAway };
  return connection === 'reconnecting' ? { text: words.reconnecting } : undefined;
}
