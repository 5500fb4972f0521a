import { useEffect, useState } from 'react';

/** Milliseconds without another letter. */
const pause = 200;

/** What is typed, once the hands rest: the server is not asked for every letter. */
export function useDebounced(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
