import { useEffect } from 'react';

/** At once, and whenever the page is looked at again. @param look the same function from one render to the next. */
export function useWhenLookedAt(look: () => Promise<void>): void {
  useEffect(() => {
    const lookIfVisible = () => {
      if (document.visibilityState === 'visible') void look();
    };
    lookIfVisible();
    document.addEventListener('visibilitychange', lookIfVisible);
    return () => document.removeEventListener('visibilitychange', lookIfVisible);
  }, [look]);
}
