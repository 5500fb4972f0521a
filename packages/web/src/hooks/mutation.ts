import { useCommands } from './model.ts';
import { useSubmission } from './submission.ts';
import type { ProductCall } from '../model/connection/productCall.ts';

export function useMutation() {
  const model = useCommands();
  const { submit, ...state } = useSubmission();
  const act = <Answer>(call: ProductCall<Answer>, onDone: (answer: Answer) => void) =>
    void submit(async () => {
      const answered = await model.ask(call);
      if (!('answer' in answered)) return answered;
      onDone(answered.answer);
      return undefined;
    });
  return { ...state, act };
}
