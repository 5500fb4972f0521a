import { useEffect, useEffectEvent } from 'react';
import { isForInputMethod } from '../components/inputMethod.ts';

const dialogs = 'dialog[open], [role=dialog]';
const fields = 'input, textarea, select, [contenteditable]';

/** Calls `run` for the keys that `matches` accepts, unless a dialog is open or the input method uses the key. */
export function useShortcut(matches: (event: KeyboardEvent) => boolean, run: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || document.querySelector(dialogs) || !matches(event)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      onKeyDown(event);
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

export function isInField({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(fields) !== null;
}
