import type { RefObject } from 'react';
import { usePlacement } from '../../components/primitives/popup.ts';

const gap = 12;

/** Places the card to the right of the element if there is room, else to the left, and always inside the window. */
function placeBeside({ style, offsetWidth: width, offsetHeight: height }: HTMLDialogElement, { left, right, top }: DOMRect) {
  const inWindow = (at: number, size: number, whole: number) => Math.max(gap, Math.min(at, whole - size - gap));
  const x = right + gap + width + gap <= innerWidth ? right + gap : left - gap - width;
  style.setProperty('--x', `${inWindow(x, width, innerWidth)}px`);
  style.setProperty('--y', `${inWindow(top, height, innerHeight)}px`);
}

/** Call in a component outside the dialog, because the effect of the dialog that opens it must run first. */
export function usePlaceBeside(inside: RefObject<HTMLElement | null>, beside: DOMRect | undefined): void {
  usePlacement((around) => {
    const dialog = inside.current?.closest('dialog');
    if (dialog) placeBeside(dialog, around);
  }, beside);
}
