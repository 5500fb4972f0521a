import { useEffect } from 'react';
import { attention, onAttention } from './attention.ts';
import { useCommands } from './model.ts';

export function useAttendance(): void {
  const model = useCommands();
  useEffect(() => {
    const report = () => {
      if (document.visibilityState !== 'visible') model.attend('hidden');
      else model.attend(attention() === 'active' ? 'active' : 'idle');
    };
    report();
    const stop = onAttention(report);
    document.addEventListener('visibilitychange', report);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', report);
    };
  }, [model]);
}
