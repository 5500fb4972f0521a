import { PlainButton } from './Button.tsx';
import styles from './Switch.module.css';

export function Switch({ label, on, onToggle }: { readonly label: string; readonly on: boolean; readonly onToggle: () => void }) {
  return (
    <PlainButton role="switch" aria-checked={on} className={styles['row']} onClick={onToggle}>
      {label}
      <span className={styles['track']} aria-hidden />
    </PlainButton>
  );
}
