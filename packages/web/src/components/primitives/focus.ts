import type { KeyboardEvent } from 'react';
import { isForInputMethod } from '../inputMethod.ts';

interface Axis {
  readonly axis?: 'vertical' | 'horizontal';
  readonly wraps?: boolean;
  /** Whether Home and End move in the list. False if the focus is in a text field, where they move the caret. */
  readonly ends?: boolean;
}

/** The index that a key leads to; undefined beyond an end that does not wrap. `index` is -1 if no item is active. */
export function stepOf(
  key: string,
  index: number,
  count: number,
  { axis = 'vertical', wraps = false, ends = true }: Axis = {},
): number | undefined {
  if (count === 0) return undefined;
  const [back, forth] = axis === 'vertical' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  if (ends && key === 'Home') return 0;
  if (ends && key === 'End') return count - 1;
  const to = { [back]: Math.max(index, 0) - 1, [forth]: index + 1 }[key];
  if (to === undefined) return undefined;
  if (wraps) return (to + count) % count;
  return to >= 0 && to < count ? to : undefined;
}

export function moveFocus(event: KeyboardEvent, items: Iterable<HTMLElement>, axis?: Axis): number | undefined {
  if (isForInputMethod(event) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const all = [...items];
  const index = all.findIndex((item) => item === document.activeElement);
  const to = stepOf(event.key, index, all.length, axis);
  if (to === undefined) return undefined;
  event.preventDefault();
  all[to]?.focus();
  return to;
}
