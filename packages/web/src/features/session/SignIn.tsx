import { useState } from 'react';
import type { Candidate } from '@engawa/protocol/product';
import { CandidatePicker } from '../../components/CandidatePicker.tsx';
import { CircleAlert } from '../../components/icons.ts';
import { Logo } from '../../components/Logo.tsx';
import { useFailureText } from '../../hooks/failures.ts';
import { useSessionWords } from '../../i18n/session.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { SignedOutProps } from './signedOutProps.ts';
import styles from './SignIn.module.css';

/** R1.5: the members to choose from after a sign-out. */
export function SignIn({ session, browserSession }: SignedOutProps) {
  const words = useSessionWords().pick;
  const failureText = useFailureText();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const pick = async (candidate: Candidate) => {
    setBusy(true);
    setFailure(await browserSession.signIn(candidate.email));
    setBusy(false);
  };

  return (
    <main className={styles['screen']}>
      <div className={styles['card']}>
        <header>
          <span className={styles['logo']}>
            <Logo size={36} />
          </span>
          <h1>{words.heading}</h1>
          <p>{words.advice}</p>
        </header>
        {failure && (
          <p className={styles['failure']} role="alert">
            <CircleAlert aria-hidden size={16} />
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
