import { useEffectEvent, useLayoutEffect } from 'react';
import { isForInputMethod } from '../components/inputMethod.ts';

/** Calls `run` for the keys of the whole page, except those that the input method uses. */
export function useKeyDown(run: (event: KeyboardEvent) => void): void {
  const runNow = useEffectEvent(run);
  // A layout effect, so that a key works as soon as its component is visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      runNow(event);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
