import { useRef, useState, type MouseEvent } from 'react';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { Icon, LogOut } from '../../components/icons.ts';
import { useFailureToast } from '../../hooks/changeSettings.ts';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import type { Failure } from '../../model/connection/failure.ts';
import styles from './Settings.module.css';
import { unsavedDrafts } from '../../model/drafts/record.ts';
import { selectSavedDrafts } from '../../model/drafts/state.ts';
import { selectUnsent } from '../../model/outbox/selectors.ts';
import { leavePage } from '../../components/primitives/layers.ts';

export interface SignOutProps {
  readonly logoutAddress: string;
  /** A link or another site may have led here, so the member is asked even if nothing would be lost. */
  readonly asksToSignOut: boolean | undefined;
  readonly onStay: () => void;
}

/** R2.1: asks before it deletes unsent messages, and drafts that are only on this device. If the server does not answer, the member stays signed in. */
export function SignOut({ logoutAddress, asksToSignOut = false, onStay }: SignOutProps) {
  const { page: words, cancel } = useSettingsWords();
  const model = useCommands();
  const failureText = useFailureText();
  const showFailure = useFailureToast();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  // Some messages may be sent while the question is open.
  const unsent = useModel(selectUnsent);
  // Selected, so that this renders again when a draft was saved.
  useModel(selectSavedDrafts);
  const unsaved = unsavedDrafts(model.drafts).length;
  const harmless = asksToSignOut ? words.reallySignOut : words.allSent;
  const questionText = unsent + unsaved > 0 ? words.losses(unsent, unsaved) : harmless;
  const question = useRef<HTMLParagraphElement>(null);

  const leave = async () => {
    setBusy(true);
    const refused = await model.account((own) => own.signOut());
    if (!refused) {
      leavePage(() => location.assign('/'));
      return;
    }
    setBusy(false);
    if (question.current) setFailure(refused);
    else showFailure(refused);
  };

  const stay = () => {
    setAsking(false);
    if (asksToSignOut) onStay();
  };

  const press = (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(undefined);
    if (unsent + unsavedDrafts(model.drafts).length > 0) setAsking(true);
    else void leave();
  };

  return (
    <>
      <a className={styles['logout']} href={logoutAddress} aria-disabled={busy} onClick={press}>
        <Icon of={LogOut} size={16} strokeWidth={1.9} />
        {words.logout}
      </a>
      {(asking || asksToSignOut) && (
        <DialogForm
          heading={words.logout}
          failure={failure && failureText(failure)}
          closeLabel={cancel}
          submitLabel={busy ? words.signingOut : words.signOut}
          danger
          careful
          busy={busy}
          onClose={stay}
          onSubmit={() => void leave()}
        >
          <p ref={question} className={styles['question']}>
            {questionText}
          </p>
        </DialogForm>
      )}
    </>
  );
}
