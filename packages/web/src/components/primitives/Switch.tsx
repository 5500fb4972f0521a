import styles from './Switch.module.css';

/** On or off, by the WAI-ARIA switch pattern. All of the row is the switch, so that a finger finds it. */
export function Switch({ label, on, onToggle }: { readonly label: string; readonly on: boolean; readonly onToggle: () => void }) {
  return (
    <button type="button" role="switch" aria-checked={on} className={styles['row']} onClick={onToggle}>
      {label}
      <span className={styles['track']} aria-hidden />
    </button>
  );
}
