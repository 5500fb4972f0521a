import { TextButton } from '../../components/primitives/Button.tsx';
import { PasswordField } from '../../components/primitives/PasswordField.tsx';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { SessionCard, SessionForm } from './SessionCard.tsx';
import styles from './SessionCard.module.css';
import { emailInput, useFields } from './useFields.ts';

interface PasswordSignInProps {
  readonly organisation: string | null;
  readonly note: 'ended' | 'alreadySetUp' | 'invitationAgain' | 'passwordAgain' | undefined;
  readonly email: string;
  readonly onSignIn: (email: string, password: string) => Promise<Failure | undefined>;
  readonly onForgotten: (email: string) => void;
}

export function PasswordSignIn({ organisation, note, email, onSignIn, onForgotten }: PasswordSignInProps) {
  const words = useSessionWords();
  const fields = useFields({
    names: ['email', 'password'],
    occasion: 'known',
    begin: { email },
    send: (values) => onSignIn(values.email, values.password),
  });
  const entry = fields.of('email');
  // A short wait needs no other way in.
  const isRefusedForLong = fields.failure?.kind === 'busy' && fields.failure.retryAfterSeconds > 60;
  const shown = isRefusedForLong ? 'otherWays' : note;
  return (
    <SessionCard organisation={organisation} heading={words.signIn.heading}>
      {shown && <output className={styles['note']}>{words.signIn[shown]}</output>}
      <SessionForm label={words.signIn.heading} fields={fields} submitLabel={words.signIn.heading} busyLabel={words.signIn.busy}>
        <TextField quiet label={words.fields.email} {...emailInput} {...entry} />
        <PasswordField label={words.fields.password} {...fields.of('password')} />
      </SessionForm>
      <TextButton className={styles['link']} onClick={() => onForgotten(entry.value)}>
        {words.signIn.forgotten}
      </TextButton>
    </SessionCard>
  );
}
