/** Where the card stands in a wide window. */
import type { RefObject } from 'react';
import { usePlacement } from '../../components/primitives/popup.ts';

/** Pixels between it and what it stands beside, and to the window's edge. */
const gap = 12;

/** To the right of it where there is room, else to the left; in the window whatever becomes of it. */
function placeBeside({ style, offsetWidth: width, offsetHeight: height }: HTMLDialogElement, { left, right, top }: DOMRect) {
  const inWindow = (at: number, size: number, whole: number) => Math.max(gap, Math.min(at, whole - size - gap));
  const x = right + gap + width + gap <= innerWidth ? right + gap : left - gap - width;
  style.setProperty('--x', `${inWindow(x, width, innerWidth)}px`);
  style.setProperty('--y', `${inWindow(top, height, innerHeight)}px`);
}

/** For who renders the dialog: its own effect, which shows it, comes first. @param inside Something in it. */
export function usePlaceBeside(inside: RefObject<HTMLElement | null>, beside: DOMRect | undefined): void {
  usePlacement((around) => {
    const dialog = inside.current?.closest('dialog');
    if (dialog) placeBeside(dialog, around);
  }, beside);
}
