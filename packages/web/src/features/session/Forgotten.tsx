import { useState } from 'react';
import { accountPaths } from '@engawa/protocol/accounts';
import { z } from 'zod/mini';
import { TextButton } from '../../components/primitives/Button.tsx';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useSessionWords } from '../../i18n/session.ts';
import type { Ask } from '../../model/connection/signedOutCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { SessionCard, SessionForm } from './SessionCard.tsx';
import styles from './SessionCard.module.css';
import { emailInput, useFields } from './useFields.ts';

interface ForgottenProps {
  readonly organisation: string | null;
  readonly mail: boolean;
  readonly email: string;
  readonly ask: Ask;
  readonly onBack: () => void;
}

export function Forgotten({ organisation, mail, email, ask, onBack }: ForgottenProps) {
  const words = useSessionWords().forgotten;
  const [sentTo, setSentTo] = useState<string>();
  const [noMail, setNoMail] = useState(!mail);

  const back = (
    <TextButton className={styles['link']} onClick={onBack}>
      {words.back}
    </TextButton>
  );
  if (noMail) {
    return (
      <SessionCard organisation={organisation} heading={words.noMailHeading}>
        <p className={styles['text']}>{words.noMail}</p>
        <p className={styles['text']}>{words.noMailAdministrator}</p>
        {back}
      </SessionCard>
    );
  }
  if (sentTo !== undefined) {
    return (
      <SessionCard organisation={organisation} heading={words.sentHeading}>
        <output className={styles['text']}>{words.sent(sentTo)}</output>
        {back}
      </SessionCard>
    );
  }
  return (
    <SessionCard organisation={organisation} heading={words.heading} advice={words.advice}>
      <SendLink email={email} ask={ask} onSent={setSentTo} onNoMail={() => setNoMail(true)} />
      {back}
    </SessionCard>
  );
}

interface SendLinkProps {
  readonly email: string;
  readonly ask: Ask;
  readonly onSent: (email: string) => void;
  readonly onNoMail: () => void;
}

function SendLink({ email: typed, ask, onSent, onNoMail }: SendLinkProps) {
  const words = useSessionWords();
  const send = async ({ email }: { readonly email: string }): Promise<Failure | undefined> => {
    // The answer must not reveal whether such a member exists.
    const answer = await ask(accountPaths.passwordForgotten, z.object({}), { email });
    if ('said' in answer) onSent(email);
    else if (answer.failure.kind === 'refused' && answer.failure.code === 'NO_MAIL') onNoMail();
    else return answer.failure;
    return undefined;
  };
  const fields = useFields({ names: ['email'], occasion: 'new', begin: { email: typed }, send });
  return (
    <SessionForm
      label={words.forgotten.heading}
      fields={fields}
      submitLabel={words.forgotten.submit}
      busyLabel={words.forgotten.busy}
    >
      <TextField quiet label={words.fields.email} {...emailInput} {...fields.of('email')} />
    </SessionForm>
  );
}
