import { useState } from 'react';
import { paths, session as sessionSchema, type Session } from '@engawa/protocol/product';
import type { Ask } from '../../model/askProduct.ts';
import type { Failure } from '../../model/view.ts';
import { Forgotten } from './Forgotten.tsx';
import { LinkPage, type Link } from './LinkPage.tsx';
import { PasswordSignIn } from './PasswordSignIn.tsx';
import { SetUp } from './SetUp.tsx';

/** R1.5: the ways in where members have passwords. */
export function Outside({
  session,
  link,
  ended,
  ask,
  onSignIn,
  onIn,
  onLinkLeft,
}: {
  readonly session: Session;
  /** What somebody came by; they may be signed in already. */
  readonly link: Link | undefined;
  /** The email of whoever was inside until their session was ended elsewhere. */
  readonly ended: string | undefined;
  readonly ask: Ask;
  /** Answers why it could not be done. */
  readonly onSignIn: (email: string, password: string) => Promise<Failure | undefined>;
  /** With the session of whoever has come in. */
  readonly onIn: (session: Session) => void;
  /** The link is of no use, or is not wanted. */
  readonly onLinkLeft: () => void;
}) {
  /** As it was found when somebody else had founded the organisation meanwhile. */
  const [founded, setFounded] = useState<Session>();
  const [email, setEmail] = useState(ended ?? '');
  const [forgotten, setForgotten] = useState(false);

  const onSetUpDone = async () => {
    const answer = await ask(paths.session, sessionSchema);
    setFounded('said' in answer ? answer.said : { ...session, setup_needed: false });
  };

  if (session.setup_needed && !founded) return <SetUp ask={ask} onIn={onIn} onSetUpDone={() => void onSetUpDone()} />;
  if (link) return <LinkPage link={link} member={session.member} ask={ask} onIn={onIn} onLeave={onLinkLeft} />;
  const { organisation, mail } = founded ?? session;
  if (forgotten) {
    return <Forgotten organisation={organisation} mail={mail} email={email} ask={ask} onBack={() => setForgotten(false)} />;
  }
  return (
    <PasswordSignIn
      organisation={organisation}
      note={ended === undefined ? founded && 'alreadySetUp' : 'ended'}
      email={email}
      onSignIn={onSignIn}
      onForgotten={(typed) => {
        setEmail(typed);
        setForgotten(true);
      }}
    />
  );
}
