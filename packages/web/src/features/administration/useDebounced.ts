import { useEffect, useState } from 'react';

const pauseMilliseconds = 200;

/** Returns the typed text after a pause, so that not every letter sends a request. */
export function useDebounced(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
