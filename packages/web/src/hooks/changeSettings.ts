import { useFailureText } from './failures.ts';
import { useCommands } from './model.ts';
import type { SettingsChange } from '../model/people/state.ts';
import { useToast } from '../components/primitives/Toasts.tsx';

/** Saves what the member chooses. Where the server does not take it, it is as it was, and the member is told why. */
export function useChangeSettings(): (change: SettingsChange) => void {
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  return (change) => {
    void model.changeSettings(change).then((failure) => failure && toast({ text: failureText(failure), tone: 'alert' }));
  };
}
