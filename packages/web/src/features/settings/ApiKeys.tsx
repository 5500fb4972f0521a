import { useState } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { RotateCw } from '../../components/icons.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands } from '../../hooks/model.ts';
import { useTimes } from '../../hooks/times.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Account } from '../../model/commandsOnDemand.ts';
import type { Failure } from '../../model/connection/failure.ts';
import styles from './Sessions.module.css';
import { useAccountList } from './useAccountList.ts';

const listKeys = (own: Account) => own.keys();

/** The API keys by which programs act for the member. The member can revoke each key or all of them. */
export function ApiKeys() {
  const words = useSettingsWords().keys;
  const { again } = useWords();
  const failureText = useFailureText();
  const times = useTimes();
  const { listed: keys, load } = useAccountList(listKeys);
  /** The key to revoke, or all. */
  const [ending, setEnding] = useState<number | 'all'>();

  return (
    <section className={styles['sessions']} aria-labelledby="settings-keys">
      <h3 id="settings-keys">{words.heading}</h3>
      <p className={styles['advice']}>{words.advice}</p>
      {keys === undefined && <output className={styles['advice']}>{words.loading}</output>}
      {keys !== undefined && 'kind' in keys && (
        <div role="alert" className={styles['failure']}>
          <p>{failureText(keys)}</p>
          <Button size="small" className={styles['others']} onClick={load}>
            <RotateCw aria-hidden size={14} />
            {again}
          </Button>
        </div>
      )}
      {keys !== undefined && !('kind' in keys) && (
        <>
          {keys.length === 0 && <p className={styles['advice']}>{words.none}</p>}
          {keys.length > 0 && (
            <ul aria-label={words.list}>
              {keys.map(({ id, created, last_used: lastUsed }) => (
                <li key={id}>
                  <span className={styles['device']}>
                    {words.key(id)}
                    <small>{words.created(times.recent(created))}</small>
                    <small>{lastUsed === null ? words.neverUsed : words.lastUsed(times.recent(lastUsed))}</small>
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
    </section>
  );
}

function EndKeys({
  which,
  count,
  onClose,
  onEnded,
}: {
  readonly which: number | 'all';
  readonly count: number;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}) {
  const words = useSettingsWords().keys;
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const isAll = which === 'all';

  const end = async () => {
    setBusy(true);
    const refusal = await model.account((own) => own.endKeys(isAll ? undefined : which));
    setBusy(false);
    setFailure(refusal);
    if (refusal) return;
    toast({ text: isAll ? words.endedAll : words.ended(words.key(which)), tone: 'note' });
    onEnded();
    onClose();
  };

  return (
    <DialogForm
      heading={isAll ? words.endAllHeading : words.endHeading}
      holds={false}
      danger
      failure={failure && failureText(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? words.ending : words.end}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void end()}
    >
      <p>{isAll ? words.endAllQuestion(count) : words.endQuestion(words.key(which))}</p>
    </DialogForm>
  );
}
