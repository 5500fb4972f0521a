import { useEffect } from 'react';

/** Calls `look` at once, and whenever the page becomes visible again. @param look must stay identical between renders. */
export function useWhenVisible(look: () => Promise<void>): void {
  useEffect(() => {
    const lookIfVisible = () => {
      if (document.visibilityState === 'visible') void look();
    };
    lookIfVisible();
    document.addEventListener('visibilitychange', lookIfVisible);
    return () => document.removeEventListener('visibilitychange', lookIfVisible);
  }, [look]);
}
