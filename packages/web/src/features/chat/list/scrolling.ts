import type { MessageKey } from '../../../model/timeline/message.ts';
import { indexOf } from './rowHeights.ts';

export interface Range {
  readonly keys: readonly MessageKey[];
  readonly from: number;
  readonly to: number;
}

/** Finds the mounted rows again after a change of the messages. A range that ended at the end still ends there. */
export function rangeAfter({ keys, from, to }: Range, after: readonly MessageKey[]): Range {
  if (after === keys) return { keys, from, to };
  const [first, next] = [keys[from], keys[to]];
  return {
    keys: after,
    from: first === undefined ? 0 : indexOf(after, first),
    to: next === undefined ? after.length : indexOf(after, next),
  };
}

export function hasSent(before: readonly MessageKey[], after: readonly MessageKey[]): boolean {
  const newest = after.at(-1);
  return before.length > 0 && typeof newest === 'string' && !before.includes(newest);
}

export function arrivals(before: readonly MessageKey[], after: readonly MessageKey[]): readonly number[] {
  const newest = before.findLast(isNumber);
  if (newest === undefined) return [];
  const last = after.findLastIndex((key) => isNumber(key) && key <= newest);
  return last < 0 ? [] : after.slice(last + 1).filter(isNumber);
}

function isNumber(key: MessageKey): key is number {
  return typeof key === 'number';
}
