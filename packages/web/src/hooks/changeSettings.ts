import { useFailureText } from './failures.ts';
import { useCommands } from './model.ts';
import type { SettingsChange } from '../model/people/state.ts';
import { useToast } from '../components/primitives/Toasts.tsx';

/** Saves settings. A refused change is reverted and its failure is shown. */
export function useChangeSettings(): (change: SettingsChange) => void {
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  return (change) => {
    void model.changeSettings(change).then((failure) => failure && toast({ text: failureText(failure), tone: 'alert' }));
  };
}
