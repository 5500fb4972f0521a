import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { Button } from '../components/primitives/Button.tsx';
import { Logo } from '../components/Logo.tsx';
import { lazyPanel } from '../components/lazyComponent.tsx';
import { ToastProvider } from '../components/primitives/Toasts.tsx';
import { useFailureText } from '../hooks/failures.ts';
import { ModelProvider } from '../hooks/model.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import type { Failure } from '../model/connection/failure.ts';
import styles from './App.module.css';
import type { Entrance } from './entrance.ts';
import { MainScreen } from './MainScreen.tsx';
import { MemberCards } from './MemberCards.tsx';
import type { Router } from './route.ts';

const SignIn = {
  fake: lazyPanel(async () => (await import('../features/session/SignIn.tsx')).Outside),
  password: lazyPanel(async () => (await import('../features/session/Outside.tsx')).Outside),
};

export function App({ entrance, router }: { readonly entrance: Entrance; readonly router: Router }) {
  const place = useSyncExternalStore(entrance.subscribe, entrance.place);
  const Outside = place.kind === 'outside' ? SignIn[place.session.auth_mode] : undefined;
  const exposed = 'session' in place && place.session.fake_sign_in_exposed;

  const switchTo = async (email: string) => {
    const failure = await entrance.switchTo(email);
    // Opened anew, so that nothing stays of the member before.
    if (!failure) location.assign('/');
    return failure;
  };

  return (
    <ToastProvider>
      <div className={styles['app']}>
        {exposed && <Exposed />}
        {place.kind === 'opening' && <Opening />}
        {place.kind === 'failed' && <NotOpened failure={place.failure} onAgain={(again) => void entrance.open(again)} />}
        {place.kind === 'outside' && Outside && <Outside {...place} entrance={entrance} />}
        {place.kind === 'inside' && (
          <ModelProvider value={place.model}>
            <MemberCards>
              <MainScreen session={place.session} memberId={place.member.user_id} router={router} onSwitch={switchTo} />
            </MemberCards>
          </ModelProvider>
        )}
      </div>
    </ToastProvider>
  );
}

/** R1.6 */
function Exposed() {
  const words = useWords().start;
  return (
    <p className={styles['exposed']}>
      <output>{words.exposed}</output>
    </p>
  );
}

function Opening() {
  const words = useWords().start;
  return (
    <output className={styles['middle']} aria-label={words.opening}>
      <span className={styles['logo']}>
        <Logo size={48} />
      </span>
    </output>
  );
}

/** Milliseconds. */
const againAfter = 2000;

/** Where waiting helps it goes on by itself. */
function NotOpened({ failure, onAgain }: { readonly failure: Failure; readonly onAgain: (again?: 'again') => void }) {
  const words = useWords();
  const failureText = useFailureText();
  const tryAgain = useEffectEvent(() => onAgain('again'));
  useEffect(() => {
    if (!helpsToWait(failure)) return undefined;
    // Not all who wait for a server at once.
    const timer = setTimeout(tryAgain, againAfter * (1 + Math.random()));
    window.addEventListener('online', tryAgain);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', tryAgain);
    };
  }, [failure]);

  return (
    <main className={styles['middle']}>
      <span className={styles['logo']}>
        <Logo size={48} />
      </span>
      <h1>{words.start.failed}</h1>
      <p role="alert">{failureText(failure)}</p>
      {helpsToWait(failure) && <p>{words.start.goesOn}</p>}
      <Button variant="primary" onClick={() => onAgain()}>
        {words.again}
      </Button>
    </main>
  );
}

function helpsToWait({ kind }: Failure): boolean {
  return kind === 'network' || kind === 'server';
}
