/** A word from the product, shown under the header so that it never covers the newest message. One at a time. */
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { CircleAlert, Info, Undo2, X } from './icons.ts';
import styles from './Toasts.module.css';

export interface Toast {
  readonly text: string;
  /** An alert interrupts; a note waits for a pause. */
  readonly tone: 'alert' | 'note';
  readonly action?: { readonly label: string; run(): void };
}

interface Shown extends Toast {
  readonly id: number;
}

const alertSeconds = 6;
const offerSeconds = 10;

const Context = createContext<(toast: Toast) => void>(() => undefined);

export function useToast(): (toast: Toast) => void {
  return use(Context);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown>();
  const show = useMemo(() => {
    let last = 0;
    return (toast: Toast) => setShown({ ...toast, id: ++last });
  }, []);

  return (
    <Context value={show}>
      {children}
      <div className={styles['place']}>
        {shown && <ToastCard key={shown.id} toast={shown} close={() => setShown(undefined)} />}
      </div>
    </Context>
  );
}

function ToastCard({ toast, close }: { readonly toast: Toast; readonly close: () => void }) {
  const words = useWords();
  const [held, setHeld] = useState(false);
  const seconds = toast.action ? offerSeconds : alertSeconds;

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(close, seconds * 1000);
    return () => clearTimeout(timer);
  });

  const Icon = toast.tone === 'alert' ? CircleAlert : toast.action ? Undo2 : Info;
  return (
    <div
      className={styles['toast']}
      data-tone={toast.tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={styles['icon']} aria-hidden size={18} strokeWidth={1.9} />
      <p role={toast.tone === 'alert' ? 'alert' : 'status'}>{toast.text}</p>
      {toast.action && (
        <button
          type="button"
          className={styles['action']}
          onClick={() => {
            // First, because what it does may say something in turn.
            close();
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" className={styles['close']} aria-label={words.close} onClick={close}>
        <X aria-hidden size={16} />
      </button>
    </div>
  );
}
