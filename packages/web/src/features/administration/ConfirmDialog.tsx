import type { ReactNode } from 'react';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { useAdministrationWords } from '../../i18n/administration.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import styles from './ConfirmDialog.module.css';
import { useMutation } from './useMutation.ts';
import { useRefusalText } from './useRefusalText.ts';

export function ConfirmDialog<Answer>({
  heading,
  children,
  submitLabel,
  busyLabel,
  danger = false,
  call,
  onDone,
  onClose,
}: {
  readonly heading: string;
  readonly children: ReactNode;
  readonly submitLabel: string;
  readonly busyLabel: string;
  readonly danger?: boolean;
  readonly call: ProductCall<Answer>;
  readonly onDone: (answer: Answer) => void;
  readonly onClose: () => void;
}) {
  const words = useAdministrationWords();
  const refusal = useRefusalText();
  const { busy, failure, act } = useMutation();
  return (
    <DialogForm
      heading={heading}
      holds={false}
      danger={danger}
      failure={failure && refusal(failure)}
      closeLabel={words.cancel}
      submitLabel={busy ? busyLabel : submitLabel}
      busy={busy}
      onClose={onClose}
      onSubmit={() => act(call, onDone)}
    >
      <div className={styles['question']}>{children}</div>
    </DialogForm>
  );
}
