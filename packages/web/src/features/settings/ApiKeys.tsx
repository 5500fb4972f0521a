import { useState } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import { useTimes } from '../../hooks/times.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Account } from '../../model/people/account.ts';
import { AccountList, EndDialog, useAccountList } from './AccountList.tsx';
import styles from './Sessions.module.css';

const listKeys = (own: Account) => own.keys();

export function ApiKeys() {
  const { keys: words, lastUsed: lastUsedAt } = useSettingsWords();
  const times = useTimes();
  const { listed, load } = useAccountList(listKeys);
  const [ending, setEnding] = useState<number | 'all'>();

  return (
    <AccountList id="settings-keys" words={words} listed={listed} onLoad={load}>
      {(keys) => (
        <>
          {keys.length === 0 && <p className={styles['advice']}>{words.none}</p>}
          {keys.length > 0 && (
            <ul aria-label={words.list}>
              {keys.map(({ id, created, last_used: lastUsed }) => (
                <li key={id}>
                  <span className={styles['device']}>
                    {words.key(id)}
                    <small>{words.created(times.recent(created))}</small>
                    <small>{lastUsed === null ? words.neverUsed : lastUsedAt(times.recent(lastUsed))}</small>
                  </span>
                  <Button
                    size="small"
                    className={styles['end']}
                    aria-haspopup="dialog"
                    aria-label={words.endNamed(words.key(id))}
                    onClick={() => setEnding(id)}
                  >
                    {words.end}
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {keys.length > 1 && (
            <Button size="small" className={styles['others']} aria-haspopup="dialog" onClick={() => setEnding('all')}>
              {words.endAll}
            </Button>
          )}
          {ending !== undefined && (
            <EndKeys which={ending} count={keys.length} onClose={() => setEnding(undefined)} onEnded={load} />
          )}
        </>
      )}
    </AccountList>
  );
}

function EndKeys({
  which,
  count,
  ...close
}: {
  readonly which: number | 'all';
  readonly count: number;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}) {
  const words = useSettingsWords().keys;
  const isAll = which === 'all';
  return (
    <EndDialog
      words={words}
      heading={isAll ? words.endAllHeading : words.endHeading}
      question={isAll ? words.endAllQuestion(count) : words.endQuestion(words.key(which))}
      done={isAll ? words.endedAll : words.ended(words.key(which))}
      end={(own) => own.endKeys(isAll ? undefined : which)}
      {...close}
    />
  );
}
