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
import type { BrowserSession } from './browserSession.ts';
import { MainScreen } from './MainScreen.tsx';
import { MemberCards } from './MemberCards.tsx';
import { addressOfSection, type Router } from './route.ts';
import { leavePage } from '../components/primitives/layers.ts';

const signedOutScreens = {
  fake: lazyPanel(async () => (await import('../features/session/SignIn.tsx')).SignIn),
  password: lazyPanel(async () => (await import('../features/session/SignedOut.tsx')).SignedOut),
};

export function App({ browserSession, router }: { readonly browserSession: BrowserSession; readonly router: Router }) {
  const state = useSyncExternalStore(browserSession.subscribe, browserSession.state);
  const SignedOut = state.kind === 'signed-out' ? signedOutScreens[state.session.auth_mode] : undefined;
  const exposed = 'session' in state && state.session.fake_sign_in_exposed;

  const switchTo = async (email: string) => {
    const failure = await browserSession.switchTo(email);
    // The reload removes all data of the previous member from the screen.
    if (!failure) leavePage(() => location.assign('/'));
    return failure;
  };

  return (
    <ToastProvider>
      <div className={styles['app']}>
        {exposed && <Exposed />}
        {state.kind === 'opening' && <Opening />}
        {state.kind === 'failed' && <NotOpened failure={state.failure} onAgain={(again) => void browserSession.open(again)} />}
        {state.kind === 'signed-out' && SignedOut && (
          <SignedOut {...state} browserSession={browserSession} onFounded={() => router.replace(addressOfSection('start'))} />
        )}
        {state.kind === 'signed-in' && (
          <ModelProvider value={state.model}>
            <MemberCards>
              <MainScreen
                session={state.session}
                memberId={state.member.user_id}
                router={router}
                isFirstVisit={state.isFirstVisit}
                onSwitch={switchTo}
              />
            </MemberCards>
          </ModelProvider>
        )}
      </div>
    </ToastProvider>
  );
}

/** R1.6: warns that other machines can reach this server and sign in without a password. */
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

const retryAfterMs = 2000;

function NotOpened({ failure, onAgain }: { readonly failure: Failure; readonly onAgain: (again?: 'again') => void }) {
  const words = useWords();
  const failureText = useFailureText();
  const tryAgain = useEffectEvent(() => onAgain('again'));
  useEffect(() => {
    if (!helpsToWait(failure)) return undefined;
    // Randomised, so that clients do not all return to the server in the same moment.
    const timer = setTimeout(tryAgain, retryAfterMs * (1 + Math.random()));
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
  return kind === 'network' || kind === 'server' || kind === 'chat-server-away';
}
