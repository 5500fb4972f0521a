import { useFailureText } from './failures.ts';
import { useModel } from './model.ts';
import type { SettingsChange } from '../model/view.ts';
import { useToast } from '../components/primitives/Toasts.tsx';

/** Saves what the member chooses. Where the server does not take it, it is as it was, and the member is told why. */
export function useChangeSettings(): (change: SettingsChange) => void {
  const model = useModel();
  const toast = useToast();
  const failureText = useFailureText();
  return (change) => {
    void model.changeSettings(change).then((failure) => failure && toast({ text: failureText(failure), tone: 'alert' }));
  };
}
