import { useEffect, useState } from 'react';
import { useCommands } from '../../../hooks/model.ts';

/** Milliseconds; the largest delay of a browser timer. */
const longestTimer = 2 ** 31 - 1;

/** Whether the time limit for edits has passed. The server decides and may still accept a late edit. */
export function useTooLate(messageId: number, isThere: boolean): boolean {
  const model = useCommands();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isThere) return undefined;
    const left = (model.secondsToEdit(messageId) ?? Infinity) * 1000;
    if (left > longestTimer) return undefined;
    const timer = setTimeout(() => setLate(true), left);
    return () => clearTimeout(timer);
  }, [model, messageId, isThere]);
  return late;
}
