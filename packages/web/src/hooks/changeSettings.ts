import { useFailureText } from './failures.ts';
import { useCommands } from './model.ts';
import type { Failure } from '../model/connection/failure.ts';
import type { SettingsChange } from '../model/people/state.ts';
import { useToast } from '../components/primitives/Toasts.tsx';

/** Returns a function that shows a failure as a toast, and does nothing for success, which is undefined. */
export function useFailureToast(): (failure: Failure | undefined) => void {
  const toast = useToast();
  const failureText = useFailureText();
  return (failure) => failure && toast({ text: failureText(failure), tone: 'alert' });
}

/** Saves settings. A refused change is reverted and its failure is shown. */
export function useChangeSettings(): (change: SettingsChange) => void {
  const model = useCommands();
  const showFailure = useFailureToast();
  return (change) => void model.changeSettings(change).then(showFailure);
}
