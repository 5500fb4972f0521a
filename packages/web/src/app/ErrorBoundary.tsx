import { Component, type ReactNode } from 'react';
import { Button } from '../components/primitives/Button.tsx';
import { useWords } from '../i18n/LocaleProvider.tsx';
import styles from './App.module.css';

/** Shows a message instead of an empty page after an error while rendering. React logs the error. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const words = useWords().start;
  return (
    <main className={styles['app']}>
      <div className={styles['middle']} role="alert">
        <h1>{words.broken}</h1>
        <p>{words.brokenAdvice}</p>
        <Button variant="primary" onClick={() => location.reload()}>
          {words.reload}
        </Button>
      </div>
    </main>
  );
}
