import { useRef, useState, type MouseEvent } from 'react';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { LogOut } from '../../components/icons.ts';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Failure } from '../../model/connection/failure.ts';
import styles from './Settings.module.css';
import { selectUnsent } from '../../model/outbox/selectors.ts';

/** R2.1: asks before it deletes unsent messages. If the server does not answer, the member stays signed in. */
export function SignOut({ address }: { readonly address: string }) {
  const { page: words, cancel } = useSettingsWords();
  const model = useCommands();
  const failureText = useFailureText();
  const showFailure = useFailureToast();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  // Some messages may be sent while the question is open.
  const unsent = useModel(selectUnsent);
  const question = useRef<HTMLParagraphElement>(null);

  const leave = async () => {
    setBusy(true);
    const refused = await model.account((own) => own.signOut());
    if (!refused) {
      location.assign('/');
      return;
    }
    setBusy(false);
    if (question.current) setFailure(refused);
    else showFailure(refused);
  };

  const press = (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(undefined);
    if (unsent > 0) setAsking(true);
    else void leave();
  };

  return (
    <>
      <a className={styles['logout']} href={address} aria-disabled={busy} onClick={press}>
        <LogOut aria-hidden size={16} strokeWidth={1.9} />
        {words.logout}
      </a>
      {asking && (
        <DialogForm
          heading={words.logout}
          failure={failure && failureText(failure)}
          closeLabel={cancel}
          submitLabel={busy ? words.signingOut : words.signOut}
          danger
          careful
          busy={busy}
          onClose={() => setAsking(false)}
          onSubmit={() => void leave()}
        >
          <p ref={question} className={styles['question']}>
            {words.unsent(unsent)}
          </p>
        </DialogForm>
      )}
    </>
  );
}
