import type { ComponentProps } from 'react';
import { useProductCall } from '../../hooks/mutation.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

type ConfirmMutationProps<Answer> = Omit<ComponentProps<typeof ConfirmDialog>, 'act'> & {
  readonly call: ProductCall<Answer>;
  readonly onDone: (answer: Answer) => void;
};

/** Asks before it makes one call of the product. */
export function ConfirmMutation<Answer>({ call, onDone, ...dialog }: ConfirmMutationProps<Answer>) {
  const makeCall = useProductCall();
  return <ConfirmDialog {...dialog} act={() => makeCall(call, onDone)} />;
}
