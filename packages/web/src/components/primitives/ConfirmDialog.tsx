import type { ComponentProps } from 'react';
import { useSubmission } from '../../hooks/submission.ts';
import type { Failure } from '../../model/connection/failure.ts';
import styles from './ConfirmDialog.module.css';
import { DialogForm } from './DialogForm.tsx';

type ConfirmDialogProps = Omit<ComponentProps<typeof DialogForm>, 'failure' | 'busy' | 'onSubmit'> & {
  readonly busyLabel: string;
  readonly failureText: (failure: Failure) => string;
  /** @returns the failure, which the dialog shows. */
  readonly act: () => Promise<Failure | undefined>;
};

/** Asks before a change that is hard to undo. */
export function ConfirmDialog({ submitLabel, busyLabel, failureText, act, children, ...props }: ConfirmDialogProps) {
  const { busy, failure, submit } = useSubmission();
  return (
    <DialogForm
      {...props}
      failure={failure && failureText(failure)}
      submitLabel={busy ? busyLabel : submitLabel}
      busy={busy}
      onSubmit={() => void submit(act)}
    >
      <div className={styles['question']}>{children}</div>
    </DialogForm>
  );
}
