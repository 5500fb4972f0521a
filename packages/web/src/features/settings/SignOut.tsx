import { useRef, useState, type MouseEvent, type Ref } from 'react';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { LogOut } from '../../components/icons.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Failure } from '../../model/connection/failure.ts';
import styles from './Settings.module.css';
import { selectUnsent } from '../../model/outbox/selectors.ts';

/**
 * R2.1: signs out. It deletes unsent messages, so a member with unsent messages is asked first. The page stays until the
 * server answers, because an unreachable server has not ended the session.
 */
export function SignOut({ address }: { readonly address: string }) {
  const words = useSettingsWords().page;
  const model = useCommands();
  const failureText = useFailureText();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
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
    else toast({ text: failureText(refused), tone: 'alert' });
  };

  const press = (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(undefined);
    if (selectUnsent(model.state()) > 0) setAsking(true);
    else void leave();
  };

  return (
    <>
      <a className={styles['logout']} href={address} aria-disabled={busy} onClick={press}>
        <LogOut aria-hidden size={16} strokeWidth={1.9} />
        {words.logout}
      </a>
      {asking && (
        <Question
          ref={question}
          failure={failure && failureText(failure)}
          busy={busy}
          onClose={() => setAsking(false)}
          onSignOut={() => void leave()}
        />
      )}
    </>
  );
}

function Question({
  ref,
  failure,
  busy,
  onClose,
  onSignOut,
}: {
  readonly ref: Ref<HTMLParagraphElement>;
  readonly failure: string | undefined;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onSignOut: () => void;
}) {
  const words = useSettingsWords().page;
  // Some messages may be sent while the question is open.
  const unsent = useModel(selectUnsent);
  return (
    <DialogForm
      heading={words.logout}
      holds={false}
      failure={failure}
      closeLabel={words.stay}
      submitLabel={busy ? words.signingOut : words.signOut}
      danger
      careful
      busy={busy}
      onClose={onClose}
      onSubmit={onSignOut}
    >
      <p ref={ref} className={styles['question']}>
        {words.unsent(unsent)}
      </p>
    </DialogForm>
  );
}
