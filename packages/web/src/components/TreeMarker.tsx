import { classes } from './classes.ts';
import { ChevronDown, Icon } from './icons.ts';
import { PlainButton } from './primitives/Button.tsx';
import styles from './TreeMarker.module.css';

/** The start of a tree row: a dot for a leaf, else a chevron for the pointer. The keyboard folds with the arrow keys. */
export function TreeMarker({
  expanded,
  words,
  onToggle,
}: {
  readonly expanded: boolean | undefined;
  readonly words: { readonly fold: string; readonly unfold: string };
  readonly onToggle: () => void;
}) {
  if (expanded === undefined) return <span className={styles['dot']} aria-hidden />;
  return (
    <PlainButton
      tabIndex={-1}
      aria-hidden
      title={expanded ? words.fold : words.unfold}
      className={classes(styles['chevron'], !expanded && styles['folded'])}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon of={ChevronDown} size={16} strokeWidth={1.9} />
    </PlainButton>
  );
}
