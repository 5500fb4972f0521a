import { useSyncExternalStore } from 'react';
import { WifiOff } from '../components/icons.ts';
import { useConnection } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import styles from './ConnectionNotice.module.css';

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** While what is shown may be old: says so, and says that nothing is lost. */
export function ConnectionNotice() {
  const words = useWords().connection;
  const connection = useConnection();
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

  const text = connection === 'signed-out' ? words.signedOut : textWhileAway(connection === 'reconnecting', online);
  return (
    <output>
      {text !== undefined && (
        <span className={styles['notice']}>
          <WifiOff aria-hidden size={16} strokeWidth={1.9} />
          {text}
          {connection === 'signed-out' && (
            <button type="button" onClick={() => location.reload()}>
              {words.signInAgain}
            </button>
          )}
        </span>
      )}
    </output>
  );

  function textWhileAway(reconnecting: boolean, networkIsUp: boolean): string | undefined {
    if (!networkIsUp) return words.offline;
    return reconnecting ? words.reconnecting : undefined;
  }
}
