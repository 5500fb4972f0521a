import { useCallback, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { Icon, RotateCw } from '../../components/icons.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands } from '../../hooks/model.ts';
import { useWhenVisible } from '../../hooks/whenVisible.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Account } from '../../model/people/account.ts';
import type { Failure } from '../../model/connection/failure.ts';
import styles from './Sessions.module.css';

/** Reads a list on mount and whenever the page becomes visible. `list` must be stable between renders. */
export function useAccountList<Item>(list: (own: Account) => Promise<readonly Item[] | Failure>): {
  readonly listed: readonly Item[] | Failure | undefined;
  readonly load: () => void;
} {
  const model = useCommands();
  const [listed, setListed] = useState<readonly Item[] | Failure>();
  const asked = useRef(0);
  const load = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const found = await model.account(list);
    if (mine === asked.current) setListed(found);
  }, [model, list]);
  useWhenVisible(load);
  return { listed, load: () => void load() };
}

export function AccountList<Item>({
  id,
  words: { heading, advice, loading },
  listed,
  onLoad,
  dialog,
  children,
}: {
  readonly id: string;
  readonly words: { readonly heading: string; readonly advice: string; readonly loading: string };
  readonly listed: readonly Item[] | Failure | undefined;
  readonly onLoad: () => void;
  /** An open dialog, which stays while the list is loaded again. */
  readonly dialog?: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}) {
  const { again } = useWords();
  const failureText = useFailureText();
  return (
    <section className={styles['sessions']} aria-labelledby={id}>
      <h3 id={id}>{heading}</h3>
      <p className={styles['advice']}>{advice}</p>
      {listed === undefined && <output className={styles['advice']}>{loading}</output>}
      {listed !== undefined && 'kind' in listed && (
        <div role="alert" className={styles['failure']}>
          <p>{failureText(listed)}</p>
          <Button size="small" className={styles['others']} onClick={onLoad}>
            <Icon of={RotateCw} size={14} />
            {again}
          </Button>
        </div>
      )}
      {listed !== undefined && !('kind' in listed) && children(listed)}
      {dialog}
    </section>
  );
}

interface EndDialogProps {
  readonly words: { readonly end: string; readonly ending: string };
  readonly heading: string;
  readonly question: string;
  readonly warning?: string | undefined;
  readonly done: string;
  readonly end: (account: Account) => Promise<Failure | undefined>;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}

export function EndDialog({ words, heading, question, warning, done, end, onClose, onEnded }: EndDialogProps) {
  const { cancelEnding } = useSettingsWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const { busy, failure, submit } = useSubmission();

  const onSubmit = async () => {
    if (!(await submit(() => model.account(end)))) return;
    toast({ text: done, tone: 'note' });
    onEnded();
    onClose();
  };

  return (
    <DialogForm
      heading={heading}
      danger
      failure={failure && failureText(failure)}
      closeLabel={cancelEnding}
      submitLabel={busy ? words.ending : words.end}
      busy={busy}
      onClose={onClose}
      onSubmit={() => void onSubmit()}
    >
      <p>{question}</p>
      {warning !== undefined && <p>{warning}</p>}
    </DialogForm>
  );
}
