import { useState } from 'react';
import type { Candidate } from '@engawa/protocol/product';
import { CandidatePicker } from '../../components/CandidatePicker.tsx';
import { classes } from '../../components/classes.ts';
import { CircleAlert, Icon } from '../../components/icons.ts';
import { Logo } from '../../components/Logo.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { SignedOutProps } from './signedOutProps.ts';
import card from './SessionCard.module.css';
import styles from './SignIn.module.css';

/** R1.5: the members to choose from after a sign-out. */
export function SignIn({ session, browserSession }: SignedOutProps) {
  const { pick: words, signIn } = useSessionWords();
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const pick = async (candidate: Candidate) => {
    setBusy(true);
    setFailure(await browserSession.signIn(candidate.email));
    setBusy(false);
  };

  return (
    <main className={card['screen']}>
      <div className={classes(card['card'], styles['members'])}>
        <header>
          <span className={card['logo']}>
            <Logo size={36} />
          </span>
          <h1>{signIn.heading}</h1>
          <p>{words.advice}</p>
        </header>
        {failure && (
          <p className={card['failure']} role="alert">
            <Icon of={CircleAlert} size={16} />
            {failureText(failure)}
          </p>
        )}
        {session.candidates.length > 0 ? (
          <CandidatePicker candidates={session.candidates} busy={busy} onPick={(candidate) => void pick(candidate)} />
        ) : (
          <p className={styles['nobody']}>{words.noCandidates}</p>
        )}
      </div>
    </main>
  );
}
