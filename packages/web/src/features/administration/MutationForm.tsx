import type { ComponentProps } from 'react';
import { ConfirmMutation } from '../../components/primitives/ConfirmMutation.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { useAdministrationWords } from '../../i18n/administration.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { useRefusalText } from './useRefusalText.ts';

type FormProps = Omit<ComponentProps<typeof DialogForm>, 'closeLabel' | 'busy'> & { readonly busyLabel: string };

/** A dialog that sends one call and shows its failure. `failure` is an error in the input, shown instead. */
export function MutationForm({
  mutation: { busy, failure: refused },
  submitLabel,
  busyLabel,
  failure,
  disabled = false,
  ...props
}: FormProps & {
  readonly mutation: { readonly busy: boolean; readonly failure: Failure | undefined };
  /** True while there is nothing to submit. */
  readonly disabled?: boolean;
}) {
  const { cancel } = useAdministrationWords();
  const refusal = useRefusalText();
  return (
    <DialogForm
      {...props}
      failure={failure ?? (refused && refusal(refused))}
      closeLabel={cancel}
      submitLabel={busy ? busyLabel : submitLabel}
      busy={busy || disabled}
    />
  );
}

/** Asks before it makes one call of the administration. */
export function ConfirmChange<Answer>(props: Omit<ComponentProps<typeof ConfirmMutation<Answer>>, 'closeLabel' | 'failureText'>) {
  const { cancel } = useAdministrationWords();
  const refusal = useRefusalText();
  return <ConfirmMutation {...props} closeLabel={cancel} failureText={refusal} />;
}
