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
  /** False if the chat server manages accounts: its name and password are entered, and it resets the password. */
  readonly managesAccounts: boolean;
  readonly onSignIn: (email: string, password: string) => Promise<Failure | undefined>;
  readonly onForgotten: (email: string) => void;
}

export function PasswordSignIn({ organisation, note, email, managesAccounts, onSignIn, onForgotten }: PasswordSignInProps) {
  const words = useSessionWords();
  const { chatServer } = words;
  const fields = useFields({
    names: ['email', 'password'],
    occasion: 'known',
    begin: { email },
    send: (values) => onSignIn(values.email, values.password),
  });
  const entry = fields.of('email');
  // A short wait needs no other way in.
  const isRefusedForLong = fields.failure?.kind === 'busy' && fields.failure.retryAfterSeconds > 60;
  const shown = isRefusedForLong && managesAccounts ? 'otherWays' : note;
  return (
    <SessionCard
      organisation={organisation}
      heading={words.signIn.heading}
      advice={managesAccounts ? undefined : chatServer.advice}
    >
      {shown && <output className={styles['note']}>{words.signIn[shown]}</output>}
      <SessionForm
        label={words.signIn.heading}
        fields={fields}
        submitLabel={words.signIn.heading}
        busyLabel={words.signIn.busy}
        wrong={managesAccounts ? undefined : chatServer.wrong}
      >
        {managesAccounts ? (
          <TextField quiet label={words.fields.email} {...emailInput} {...entry} />
        ) : (
          <TextField
            quiet
            label={chatServer.name}
            {...emailInput}
            type="text"
            {...entry}
            complaint={entry.complaint && chatServer.nameRequired}
          />
        )}
        <PasswordField label={words.fields.password} {...fields.of('password')} />
      </SessionForm>
      {managesAccounts ? (
        <TextButton className={styles['link']} onClick={() => onForgotten(entry.value)}>
          {words.signIn.forgotten}
        </TextButton>
      ) : (
        <p className={styles['text']}>{chatServer.forgotten}</p>
      )}
    </SessionCard>
  );
}
