import { useKeyDown } from '../hooks/keyDown.ts';

const dialogs = 'dialog[open], [role=dialog]';
const fields = 'input, textarea, select, [contenteditable]';

/** Calls `run` for the keys that `matches` accepts, unless a dialog is open or the input method uses the key. */
export function useShortcut(matches: (event: KeyboardEvent) => boolean, run: () => void): void {
  useKeyDown((event) => {
    if (event.altKey || document.querySelector(dialogs) || !matches(event)) return;
    event.preventDefault();
    run();
  });
}

export function isInField({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(fields) !== null;
}
