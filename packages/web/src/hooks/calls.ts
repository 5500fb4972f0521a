import type { CallCommands } from '../model/calls/ownCall.ts';
import { useFailureToast } from './changeSettings.ts';
import { useCommands } from './model.ts';

/** Opens the dialog of a call. Its code is loaded first. */
export function useOpenCall(): CallCommands['open'] {
  const { calls } = useCommands();
  const showFailure = useFailureToast();
  return (...call) => void calls.use((commands) => commands.open(...call)).then((failure) => failure && showFailure(failure));
}
