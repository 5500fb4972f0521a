/** What the message list needs to know to stay where the reader is (R4.10). */
import type { MessageKey } from '../../model/view.ts';

/** So near to its end, the list counts as being at its end. */
const endTolerance = 24;

export interface Scrolled {
  readonly scrollOffset: number;
  readonly scrollSize: number;
  readonly viewportSize: number;
}

export function isAtEnd({ scrollOffset, scrollSize, viewportSize }: Scrolled): boolean {
  return scrollSize - viewportSize - scrollOffset <= endTolerance;
}

/** Whether the reader has moved towards older messages, by more than the list's end has moved up under them. */
export function wentUp(before: Scrolled, after: Scrolled): boolean {
  const endMovedBy = endOf(before) - endOf(after);
  return before.scrollOffset - after.scrollOffset > Math.max(0, endMovedBy) + 1;
}

const endOf = ({ scrollSize, viewportSize }: Scrolled): number => scrollSize - viewportSize;

/** Whether older messages have come before those that were there: the list is then held at its end, not its start. */
export function isPrepended(before: readonly MessageKey[], after: readonly MessageKey[]): boolean {
  const [first] = before;
  return first !== undefined && after[0] !== first && after.includes(first);
}

/** The messages that have come after those that were there. */
export function arrivals(before: readonly MessageKey[], after: readonly MessageKey[]): readonly MessageKey[] {
  const last = before.at(-1);
  if (last === undefined) return [];
  const known = new Set(before);
  const index = after.findLastIndex((key) => known.has(key));
  return index < 0 ? [] : after.slice(index + 1);
}
