import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import {
  accountPaths,
  invitationDetails,
  linkToken,
  passwordLinkDetails,
  type InvitationDetails,
  type PasswordLinkDetails,
} from '@engawa/protocol/accounts';
import { session as sessionSchema, type Session } from '@engawa/protocol/product';
import type { z } from 'zod/mini';
import { Button, TextButton } from '../../components/primitives/Button.tsx';
import { PasswordField } from '../../components/primitives/PasswordField.tsx';
import { TextField } from '../../components/primitives/TextField.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useSessionWords } from '../../i18n/session.ts';
import type { Answer, Ask } from '../../model/connection/signedOutCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { SessionCard, SessionForm } from './SessionCard.tsx';
import styles from './SessionCard.module.css';
import { useEntranceFailure } from './failures.ts';
import { emailInput, useFields } from './useFields.ts';

export interface Link {
  readonly kind: 'invitation' | 'password';
  readonly token: string;
}

export function linkIn(hash: string): Link {
  const [, kind, ...token] = hash.split('/');
  return { kind: kind === 'invitation' ? kind : 'password', token: token.join('/') };
}

interface LinkPageProps {
  readonly link: Link;
  /** False if the chat server invites members and sets passwords, so that no link of the product is valid. */
  readonly managesAccounts: boolean;
  readonly mail: boolean;
  readonly member: Session['member'];
  readonly ask: Ask;
  readonly onIn: (session: Session) => void;
  readonly onLeave: () => void;
}

export function LinkPage({ link, managesAccounts, mail, member, ask, onIn, onLeave }: LinkPageProps) {
  const words = useSessionWords();
  const [goesOn, setGoesOn] = useState(member === null);
  const [notValid, setNotValid] = useState(!managesAccounts || !linkToken.safeParse(link.token).success);
  const [tries, setTries] = useState(1);

  if (notValid) {
    const advice = link.kind === 'password' && !mail ? words.link.notValidNoMail : words.link.notValidAdvice[link.kind];
    return (
      <SessionCard heading={words.link.notValid}>
        <p className={styles['text']}>{managesAccounts ? advice : words.chatServer.noLinks}</p>
        {managesAccounts && <p className={styles['text']}>{words.link.cutOff}</p>}
        <Button variant="primary" className={styles['submit']} onClick={onLeave}>
          {member ? words.signedIn.stay(member.full_name) : words.toSignIn}
        </Button>
      </SessionCard>
    );
  }
  if (member && !goesOn) {
    return (
      <SessionCard heading={words.signedIn.heading}>
        <p className={styles['text']}>{words.signedIn.question(member.full_name)}</p>
        <Button variant="primary" className={styles['submit']} onClick={() => setGoesOn(true)}>
          {words.signedIn.goOn}
        </Button>
        <Button className={styles['other']} onClick={onLeave}>
          {words.signedIn.stay(member.full_name)}
        </Button>
      </SessionCard>
    );
  }
  const Page = link.kind === 'invitation' ? Invitation : NewPassword;
  return (
    <Page
      key={tries}
      token={link.token}
      ask={ask}
      onIn={onIn}
      onNotValid={() => setNotValid(true)}
      onAgain={() => setTries(tries + 1)}
      onLeave={onLeave}
    />
  );
}

interface PageProps {
  readonly token: string;
  readonly ask: Ask;
  readonly onIn: (session: Session) => void;
  readonly onNotValid: () => void;
  readonly onAgain: () => void;
  readonly onLeave: () => void;
}

function Invitation(props: PageProps) {
  return (
    <LinkDetails path={accountPaths.invitation} schema={invitationDetails} {...props}>
      {(details) => <Accept details={details} {...props} />}
    </LinkDetails>
  );
}

function Accept({ details, token, ask, onIn, onNotValid, onLeave }: PageProps & { readonly details: InvitationDetails }) {
  const words = useSessionWords();
  const heading = words.invitation.heading(details.organisation);
  const fields = useFields({
    names: ['name', 'reading', 'password'],
    occasion: 'new',
    send: ({ name, reading, password }) =>
      enter(ask, accountPaths.acceptInvitation, { token, name, reading, password }, { onIn, onNotValid }),
  });
  const isTaken = fields.failure?.kind === 'refused' && fields.failure.code === 'EMAIL_IN_USE';
  return (
    <SessionCard heading={heading} advice={words.invitation.invitedBy(details.invited_by)}>
      <SessionForm label={heading} fields={fields} submitLabel={words.invitation.submit} busyLabel={words.invitation.busy}>
        <Address email={details.email} />
        <TextField quiet label={words.fields.name} note={words.setUp.nameAdvice} autoComplete="name" {...fields.of('name')} />
        <TextField
          quiet
          label={words.fields.reading}
          note={words.invitation.readingAdvice}
          autoComplete="off"
          optional
          {...fields.of('reading')}
        />
        <PasswordField label={words.fields.password} isNew {...fields.of('password')} />
      </SessionForm>
      {isTaken && (
        <TextButton className={styles['link']} onClick={onLeave}>
          {words.toSignIn}
        </TextButton>
      )}
    </SessionCard>
  );
}

function NewPassword(props: PageProps) {
  return (
    <LinkDetails path={accountPaths.passwordLink} schema={passwordLinkDetails} {...props}>
      {(details) => <SetPassword details={details} {...props} />}
    </LinkDetails>
  );
}

function SetPassword({ details, token, ask, onIn, onNotValid }: PageProps & { readonly details: PasswordLinkDetails }) {
  const words = useSessionWords().password;
  const fields = useFields({
    names: ['password'],
    occasion: 'new',
    send: ({ password }) => enter(ask, accountPaths.passwordReset, { token, password }, { onIn, onNotValid }),
  });
  return (
    <SessionCard organisation={details.organisation} heading={words.heading} advice={words.advice(details.full_name)}>
      <SessionForm label={words.heading} fields={fields} submitLabel={words.submit} busyLabel={words.busy}>
        <Address email={details.email} />
        <PasswordField label={words.label} isNew {...fields.of('password')} />
        <p className={styles['small']}>{words.ends}</p>
      </SessionForm>
    </SessionCard>
  );
}

function Address({ email }: { readonly email: string }) {
  const { fields } = useSessionWords();
  return (
    <p className={styles['address']}>
      {fields.email}
      <output>{email}</output>
      <input {...emailInput} value={email} readOnly hidden />
    </p>
  );
}

interface LinkDetailsProps<Details> extends PageProps {
  readonly path: string;
  readonly schema: z.ZodMiniType<Details>;
  readonly children: (details: Details) => ReactNode;
}

function LinkDetails<Details>({ ask, path, token, schema, onNotValid, onAgain, children }: LinkDetailsProps<Details>) {
  const words = useSessionWords().link;
  const { again } = useWords();
  const failureText = useEntranceFailure();
  const [answer, setAnswer] = useState<Answer<Details>>();
  const receive = useEffectEvent((received: Answer<Details>) => {
    if ('failure' in received && isNotValid(received.failure)) onNotValid();
    else setAnswer(received);
  });
  useEffect(() => {
    let wanted = true;
    void ask(path, schema, { token }).then((received) => wanted && receive(received));
    return () => {
      wanted = false;
    };
  }, [ask, path, schema, token]);

  if (!answer) {
    return (
      <SessionCard heading={words.loading}>
        <output className={styles['waiting']} aria-label={words.loading} />
      </SessionCard>
    );
  }
  if ('said' in answer) return children(answer.said);
  return (
    <SessionCard heading={words.failed}>
      <p className={styles['text']} role="alert">
        {failureText(answer.failure)}
      </p>
      <Button variant="primary" className={styles['submit']} onClick={onAgain}>
        {again}
      </Button>
    </SessionCard>
  );
}

async function enter(
  ask: Ask,
  path: string,
  body: object,
  { onIn, onNotValid }: Pick<PageProps, 'onIn' | 'onNotValid'>,
): Promise<Failure | undefined> {
  const answer = await ask(path, sessionSchema, body);
  if ('said' in answer) onIn(answer.said);
  else if (isNotValid(answer.failure)) onNotValid();
  else return answer.failure;
  return undefined;
}

function isNotValid(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.code === 'LINK_NOT_VALID';
}
