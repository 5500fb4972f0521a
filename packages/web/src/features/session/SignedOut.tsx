import { useState } from 'react';
import { paths, session as sessionSchema, type Session } from '@engawa/protocol/product';
import type { SignedOutProps } from './signedOutProps.ts';
import { Forgotten } from './Forgotten.tsx';
import { LinkPage, linkIn } from './LinkPage.tsx';
import { PasswordSignIn } from './PasswordSignIn.tsx';
import { SetUp } from './SetUp.tsx';

/** R1.5: the screens before sign-in on a server with passwords. */
export function SignedOut({ session, link, ended, reloaded, onFounded, browserSession }: SignedOutProps) {
  const { signIn, ask, adopt, open } = browserSession;
  const managesAccounts = session.capabilities.includes('accounts');
  const [founded, setFounded] = useState<Session>();
  const [email, setEmail] = useState(ended ?? '');
  const [forgotten, setForgotten] = useState(false);

  const onSetUpDone = async () => {
    const answer = await ask(paths.session, sessionSchema);
    setFounded('said' in answer ? answer.said : { ...session, setup_needed: false });
  };

  const enterFirst = (own: Session) => {
    onFounded();
    adopt(own);
  };

  if (session.setup_needed && managesAccounts && !founded) {
    return <SetUp ask={ask} onIn={enterFirst} onSetUpDone={() => void onSetUpDone()} />;
  }
  if (link !== undefined) {
    return (
      <LinkPage
        link={linkIn(link)}
        managesAccounts={managesAccounts}
        mail={session.mail}
        member={session.member}
        ask={ask}
        onIn={adopt}
        onLeave={() => void open()}
      />
    );
  }
  const again = reloaded && ({ invitation: 'invitationAgain', password: 'passwordAgain' } as const)[reloaded];
  const note = ended === undefined ? ((founded && 'alreadySetUp') ?? again) : 'ended';
  const { organisation, mail } = founded ?? session;
  if (forgotten) {
    return <Forgotten organisation={organisation} mail={mail} email={email} ask={ask} onBack={() => setForgotten(false)} />;
  }
  return (
    <PasswordSignIn
      organisation={organisation}
      note={note}
      email={email}
      managesAccounts={managesAccounts}
      onSignIn={signIn}
      onForgotten={(typed) => {
        setEmail(typed);
        setForgotten(true);
      }}
    />
  );
}
