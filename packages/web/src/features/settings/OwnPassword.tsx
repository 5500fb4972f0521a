import { useRef, useState } from 'react';
import { Button } from '../../components/primitives/Button.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { PasswordField } from '../../components/primitives/PasswordField.tsx';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useSubmission } from '../../hooks/submission.ts';
import { usePasswordWords } from '../../i18n/password.ts';
import { useSettingsWords } from '../../i18n/settings.ts';
import { complaintAboutPassword, type PasswordComplaint } from '../../validation/password.ts';
import styles from './Sessions.module.css';
import { selectMe } from '../../model/people/selectors.ts';

interface OwnPasswordProps {
  readonly onChanged: () => void;
}

export function OwnPassword({ onChanged }: OwnPasswordProps) {
  const words = useSettingsWords().ownPassword;
  const [open, setOpen] = useState(false);
  return (
    <section className={styles['sessions']} aria-labelledby="settings-password">
      <h3 id="settings-password">{words.heading}</h3>
      <Button size="small" className={styles['open']} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      {open && <ChangePassword onClose={() => setOpen(false)} onChanged={onChanged} />}
    </section>
  );
}

type Complaint = PasswordComplaint | 'wrong' | 'weak' | 'same';

function ChangePassword({ onClose, onChanged }: { readonly onClose: () => void; readonly onChanged: () => void }) {
  const { ownPassword: words, cancel } = useSettingsWords();
  const sentences = usePasswordWords();
  const model = useCommands();
  const me = useModel(selectMe);
  const toast = useToast();
  const failureText = useFailureText();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const { busy, failure, submit } = useSubmission();
  /** The errors of the server, which are shown until the refused values change. */
  const [refused, setRefused] = useState<{ readonly current?: string; readonly next?: string }>({});
  const currentInput = useRef<HTMLInputElement>(null);
  const nextInput = useRef<HTMLInputElement>(null);

  const aboutCurrent = (): Complaint | undefined => {
    if (current === '') return 'required';
    return refused.current === current ? 'wrong' : undefined;
  };
  const aboutNext = (): Complaint | undefined => {
    const complaint = complaintAboutPassword(next);
    if (complaint) return complaint;
    if (next === current) return 'same';
    return refused.next === next ? 'weak' : undefined;
  };
  const say = (complaint: Complaint | undefined) => (submitted && complaint ? sentences.complaints[complaint] : undefined);

  const change = async () => {
    const refusal = await model.account((own) => own.changePassword(current, next));
    if (!refusal) {
      toast({ text: words.changed, tone: 'note' });
      onChanged();
      onClose();
    } else if (refusal.kind === 'refused' && refusal.code === 'AUTHENTICATION_FAILED') {
      setRefused({ current });
      currentInput.current?.focus();
    } else if (refusal.kind === 'refused' && refusal.code === 'PASSWORD_TOO_WEAK') {
      setRefused({ next });
      nextInput.current?.focus();
    } else {
      return refusal;
    }
    return undefined;
  };

  const onSubmit = () => {
    setSubmitted(true);
    if (aboutCurrent()) currentInput.current?.focus();
    else if (aboutNext()) nextInput.current?.focus();
    else void submit(change);
  };

  const failureSaid = failure && (failure.kind === 'busy' ? words.tooMany(failure.retryAfterSeconds) : failureText(failure));
  return (
    <DialogForm
      heading={words.open}
      holds={current !== '' || next !== ''}
      failure={failureSaid}
      closeLabel={cancel}
      submitLabel={busy ? words.changing : words.change}
      submitted={submitted}
      busy={busy}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <p>{words.advice}</p>
      <input type="email" autoComplete="username" aria-label={words.email} value={me?.email ?? ''} readOnly hidden />
      <PasswordField
        ref={currentInput}
        label={words.current}
        value={current}
        complaint={say(aboutCurrent())}
        onValue={setCurrent}
      />
      <PasswordField ref={nextInput} label={words.next} isNew value={next} complaint={say(aboutNext())} onValue={setNext} />
    </DialogForm>
  );
}
