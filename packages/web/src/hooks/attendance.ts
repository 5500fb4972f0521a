import { useEffect } from 'react';
import { attention, onAttention } from './attention.ts';
import { useCommands } from './model.ts';

/** Reports to the model whether the member is active in this tab. */
export function useAttendance(): void {
  const model = useCommands();
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState !== 'visible') model.attend('hidden');
      else model.attend(attention() === 'active' ? 'active' : 'idle');
    };
    tell();
    const stop = onAttention(tell);
    document.addEventListener('visibilitychange', tell);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', tell);
    };
  }, [model]);
}
