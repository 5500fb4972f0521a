import { useEffect, useState } from 'react';
import { useCommands } from '../../hooks/model.ts';
import type { CallCommands } from '../../model/calls/ownCall.ts';

/** Undefined until the code of the model is loaded. */
export function useCallCommands(): CallCommands | undefined {
  const { calls } = useCommands();
  const [commands, setCommands] = useState<CallCommands>();
  useEffect(() => void calls.use((loaded) => setCommands(() => loaded)), [calls]);
  return commands;
}
