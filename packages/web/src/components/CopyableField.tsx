import { useId } from 'react';
import { type CopyWords, useCopy } from '../hooks/copy.ts';
import { classes } from './classes.ts';
import shared from './primitives/Field.module.css';
import styles from './CopyableField.module.css';
import { Copy, Icon } from './icons.ts';
import { Button } from './primitives/Button.tsx';
import { VisuallyHidden } from './primitives/VisuallyHidden.tsx';

interface CopyableFieldProps {
  readonly label: string;
  /** A heading above the field shows the name already. */
  readonly isLabelHidden?: boolean;
  readonly note?: string;
  readonly value: string;
  readonly rows: number;
  /** Without it another control of the screen copies the text. */
  readonly copyLabel?: string;
  readonly words: CopyWords;
}

/** A text to be copied, such as a key or a command. The focus selects all of it. */
export function CopyableField({ label, isLabelHidden = false, note, value, rows, copyLabel, words }: CopyableFieldProps) {
  const id = useId();
  const copy = useCopy();
  return (
    <div className={classes(shared['field'], styles['field'])}>
      <label htmlFor={id}>{isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}</label>
      {note !== undefined && <small id={`${id}-note`}>{note}</small>}
      <textarea
        id={id}
        rows={rows}
        readOnly
        value={value}
        translate="no"
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onFocus={(event) => event.currentTarget.select()}
      />
      {copyLabel !== undefined && (
        <Button size="small" onClick={() => copy(value, words)}>
          <Icon of={Copy} size={16} />
          {copyLabel}
        </Button>
      )}
    </div>
  );
}
