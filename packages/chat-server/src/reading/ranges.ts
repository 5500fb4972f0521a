import { z } from 'zod';

/** Message ids from the first to the last, both included. */
export type Range = readonly [first: number, last: number];
/** Ascending, with at least one id between two neighbours. */
export type ReadRanges = readonly Range[];

const stored = z.array(z.tuple([z.int(), z.int()]));

export const parseRanges = (text: string): ReadRanges => stored.parse(JSON.parse(text));
export const writeRanges = (ranges: ReadRanges): string => JSON.stringify(ranges);

export function includes(ranges: ReadRanges, id: number): boolean {
  const range = ranges[firstNotBelow(ranges, id)];
  return range !== undefined && range[0] <= id;
}

/** The union of `ranges` with one more. */
export function add(ranges: ReadRanges, [first, last]: Range): ReadRanges {
  const before = ranges.filter((range) => range[1] < first - 1);
  const after = ranges.filter((range) => range[0] > last + 1);
  const touched = ranges.slice(before.length, ranges.length - after.length);
  const lowest = Math.min(first, touched[0]?.[0] ?? first);
  const highest = Math.max(last, touched.at(-1)?.[1] ?? last);
  return [...before, [lowest, highest], ...after];
}

/** `ranges` without the ids of one. */
export function remove(ranges: ReadRanges, [first, last]: Range): ReadRanges {
  return ranges.flatMap((range): Range[] => {
    if (range[1] < first || range[0] > last) return [range];
    const left: Range[] = range[0] < first ? [[range[0], first - 1]] : [];
    const right: Range[] = range[1] > last ? [[last + 1, range[1]]] : [];
    return [...left, ...right];
  });
}

/** What lies above `after`, up to and with `upTo`, and is in no range. */
export function gaps(ranges: ReadRanges, after: number, upTo: number): Range[] {
  const open: Range[] = [];
  let next = after + 1;
  for (const [first, last] of ranges) {
    if (first > upTo) break;
    if (first > next) open.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= upTo) open.push([next, upTo]);
  return open;
}

function firstNotBelow(ranges: ReadRanges, id: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
