import type { ProductCall } from '../model/connection/productCall.ts';
import type { Failure } from '../model/connection/failure.ts';
import { useCommands } from './model.ts';
import { useSubmission } from './submission.ts';

/** @returns a function that makes a call of the product, hands its answer on, and returns its failure. */
export function useProductCall() {
  const model = useCommands();
  return async <Answer>(call: ProductCall<Answer>, onDone: (answer: Answer) => void): Promise<Failure | undefined> => {
    const answered = await model.ask(call);
    if (!('answer' in answered)) return answered;
    onDone(answered.answer);
    return undefined;
  };
}

export function useMutation() {
  const makeCall = useProductCall();
  const { submit, ...state } = useSubmission();
  const act = <Answer>(call: ProductCall<Answer>, onDone: (answer: Answer) => void) => void submit(() => makeCall(call, onDone));
  return { ...state, act };
}
