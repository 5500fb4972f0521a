/** What the message list needs to know of a change of its messages. Pure. */
import type { MessageKey } from '../../../model/timeline/message.ts';
import { indexOf } from './rowHeights.ts';

/** The rows that are mounted: of `keys`, those from `from` and before `to`. */
export interface Range {
  readonly keys: readonly MessageKey[];
  readonly from: number;
  readonly to: number;
}

/** The same rows after messages have come and gone. What was mounted down to the end stays so. */
export function rangeAfter({ keys, from, to }: Range, after: readonly MessageKey[]): Range {
  if (after === keys) return { keys, from, to };
  const [first, next] = [keys[from], keys[to]];
  return {
    keys: after,
    from: first === undefined ? 0 : indexOf(after, first),
    to: next === undefined ? after.length : indexOf(after, next),
  };
}

/** Whether the reader has just sent something: it is on its way, and it was not there before. */
export function hasSent(before: readonly MessageKey[], after: readonly MessageKey[]): boolean {
  const newest = after.at(-1);
  return before.length > 0 && typeof newest === 'string' && !before.includes(newest);
}

/** The numbers of the messages that have come after those that were there. */
export function arrivals(before: readonly MessageKey[], after: readonly MessageKey[]): readonly number[] {
  const newest = before.findLast(isNumber);
  if (newest === undefined) return [];
  const last = after.findLastIndex((key) => isNumber(key) && key <= newest);
  return last < 0 ? [] : after.slice(last + 1).filter(isNumber);
}

function isNumber(key: MessageKey): key is number {
  return typeof key === 'number';
}
