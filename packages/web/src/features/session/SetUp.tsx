import { accountPaths } from '@engawa/protocol/accounts';
import { session as sessionSchema, type Session } from '@engawa/protocol/product';
import { PasswordField } from '../../components/primitives/PasswordField.tsx';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useSessionWords } from '../../i18n/session.ts';
import type { Ask } from '../../model/connection/signedOutCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { SessionCard, SessionForm } from './SessionCard.tsx';
import type { Values } from './fields.ts';
import { emailInput, useFields } from './useFields.ts';

interface SetUpProps {
  readonly ask: Ask;
  readonly onIn: (session: Session) => void;
  readonly onSetUpDone: () => void;
}

export function SetUp({ ask, onIn, onSetUpDone }: SetUpProps) {
  const words = useSessionWords();
  const send = async ({ code, organisation, name, email, password }: Values): Promise<Failure | undefined> => {
    const answer = await ask(accountPaths.setup, sessionSchema, { code, organisation, name, email, password });
    if ('said' in answer) onIn(answer.said);
    else if (answer.failure.kind === 'refused' && answer.failure.code === 'SETUP_DONE') onSetUpDone();
    else return answer.failure;
    return undefined;
  };
  const fields = useFields({ names: ['code', 'organisation', 'name', 'email', 'password'], occasion: 'new', send });
  return (
    <SessionCard heading={words.setUp.heading} advice={words.setUp.advice}>
      <SessionForm label={words.setUp.heading} fields={fields} submitLabel={words.setUp.submit} busyLabel={words.setUp.busy}>
        <TextField
          quiet
          label={words.fields.code}
          note={words.setUp.codeAdvice}
          autoComplete="one-time-code"
          {...fields.of('code')}
        />
        <TextField quiet label={words.fields.organisation} autoComplete="organization" {...fields.of('organisation')} />
        <TextField quiet label={words.fields.name} note={words.setUp.nameAdvice} autoComplete="name" {...fields.of('name')} />
        <TextField quiet label={words.fields.email} {...emailInput} {...fields.of('email')} />
        <PasswordField label={words.fields.password} isNew {...fields.of('password')} />
      </SessionForm>
    </SessionCard>
  );
}
