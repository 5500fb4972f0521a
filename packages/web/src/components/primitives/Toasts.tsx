/** Short messages from the product, below the header so that they never cover the newest chat message. */
import { createContext, use, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useReturnFocus } from '../../hooks/returnFocus.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { CircleAlert, Icon, Info, Undo2, X } from '../icons.ts';
import { TextButton } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Toasts.module.css';
import { stacked } from './toastStack.ts';

export interface Toast {
  readonly text: string;
  readonly tone: 'alert' | 'note';
  readonly action?: { readonly label: string; run(): void };
  /** Called when the member, the time or the caller closes it, before the action runs. */
  readonly onClose?: () => void;
}

interface Shown extends Toast {
  readonly id: number;
}

const alertSeconds = 6;
const offerSeconds = 10;

/** Shows a toast and returns how to close it. */
type ShowToast = (toast: Toast) => () => void;

const Context = createContext<ShowToast>(() => () => undefined);

export function useToast(): ShowToast {
  return use(Context);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const { returnFocus, ...placed } = useReturnFocus();
  const close = useCallback(({ id, onClose }: Shown) => {
    setShown((before) => before.filter((each) => each.id !== id));
    onClose?.();
  }, []);
  const show = useMemo(() => {
    let last = 0;
    return (toast: Toast) => {
      const added = { ...toast, id: ++last };
      setShown((before) => stacked(before, added));
      return () => close(added);
    };
  }, [close]);

  return (
    <Context value={show}>
      {children}
      <div className={styles['place']} {...placed}>
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} returnFocus={returnFocus} onClose={close} />
        ))}
      </div>
    </Context>
  );
}

function ToastCard({
  toast,
  returnFocus,
  onClose,
}: {
  readonly toast: Shown;
  readonly returnFocus: () => void;
  readonly onClose: (toast: Shown) => void;
}) {
  const words = useWords();
  const card = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const seconds = toast.action ? offerSeconds : alertSeconds;
  const close = () => onClose(toast);

  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => onClose(toast), seconds * 1000);
    return () => clearTimeout(timer);
  }, [held, seconds, toast, onClose]);

  // A removed element loses the focus, so this runs before the removal.
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement)) returnFocus();
    };
  }, [returnFocus]);

  const icon = toast.tone === 'alert' ? CircleAlert : toast.action ? Undo2 : Info;
  return (
    <div
      ref={card}
      className={styles['toast']}
      data-tone={toast.tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon of={icon} className={styles['icon']} size={18} strokeWidth={1.9} />
      <p role={toast.tone === 'alert' ? 'alert' : 'status'}>{toast.text}</p>
      {toast.action && (
        <TextButton
          className={styles['action']}
          onClick={() => {
            // Close first, because the action may show another toast.
            close();
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </TextButton>
      )}
      <IconButton name={words.close} icon={X} size="small" tooltip="none" className={styles['close']} onClick={close} />
    </div>
  );
}
