import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../../components/primitives/ConfirmDialog.tsx';
import { DialogForm } from '../../components/primitives/DialogForm.tsx';
import { useAdministrationWords } from '../../i18n/administration.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import { useCall } from '../../hooks/mutation.ts';
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
export function ConfirmCall<Answer>({
  call,
  onDone,
  ...props
}: Omit<ComponentProps<typeof ConfirmDialog>, 'act' | 'closeLabel' | 'failureText'> & {
  readonly call: ProductCall<Answer>;
  readonly onDone: (answer: Answer) => void;
}) {
  const { cancel } = useAdministrationWords();
  const refusal = useRefusalText();
  const makeCall = useCall();
  return <ConfirmDialog {...props} closeLabel={cancel} failureText={refusal} act={() => makeCall(call, onDone)} />;
}
