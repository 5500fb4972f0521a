import { Select } from '../../components/Select.tsx';
import { Switch } from '../../components/Switch.tsx';
import { useToast } from '../../components/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useModel, useReceiptsShown, useSendsReceipts } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './Sections.module.css';

const audiences = ['everyone', 'selected', 'nobody'] as const;

/** Of this the read receipts are in effect: what else is used says that it is not yet, and stays as it is. */
export function Privacy() {
  const words = useWords().settings;
  const toast = useToast();
  const later = (name: string) => () => toast({ text: words.privacyLater(name), tone: 'note' });
  const options = audiences.map((value) => ({ value, label: words[value] }));
  const audience = (name: string) => (
    <div className={styles['row']}>
      <span>{name}</span>
      <Select className={styles['audience']} name={name} options={options} chosen="everyone" onChoose={later(name)} />
    </div>
  );
  return (
    <div className={styles['rows']}>
      {audience(words.photo)}
      <Switch label={words.lastSeen} on onToggle={later(words.lastSeen)} />
      {audience(words.status)}
      <ReadReceipts onUnknown={later(words.readReceipts)} />
      {audience(words.groups)}
      <p className={styles['note']}>{words.notYet}</p>
    </div>
  );
}

/**
 * R2.25.1: kept by the server. On a server that does not say how it is, it stays as servers have it; where the
 * organisation shows none, there is nothing to choose.
 */
function ReadReceipts({ onUnknown }: { readonly onUnknown: () => void }) {
  const words = useWords().settings;
  const failureText = useFailureText();
  const model = useModel();
  const toast = useToast();
  const sends = useSendsReceipts();
  const shown = useReceiptsShown();

  const toggle = async () => {
    if (sends === undefined) return onUnknown();
    const failure = await model.sendReceipts(!sends);
    if (failure) toast({ text: failureText(failure), tone: 'alert' });
  };

  if (shown === 'none') {
    return (
      <>
        <div className={styles['row']}>
          <span>{words.readReceipts}</span>
          <span>{words.readReceiptsOff}</span>
        </div>
        <p className={styles['note']}>{words.readReceiptsOffAdvice}</p>
      </>
    );
  }
  return (
    <>
      <Switch label={words.readReceipts} on={sends ?? true} onToggle={() => void toggle()} />
      <p className={styles['note']}>{words.readReceiptsAdvice}</p>
    </>
  );
}
