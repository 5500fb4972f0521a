/** A range of message ids. It includes both ends. */
export type Range = readonly [first: number, last: number];
/** Ranges in ascending order. At least one id lies between two neighbours. */
export type ReadRanges = readonly Range[];

export const parseRanges = (text: string): ReadRanges => JSON.parse(text);
export const writeRanges = (ranges: ReadRanges): string => JSON.stringify(ranges);

const none = '[]';

export function includes(ranges: ReadRanges, id: number): boolean {
  const range = ranges[firstNotBelow(ranges, id)];
  return range !== undefined && range[0] <= id;
}

export function union(one: ReadRanges, other: ReadRanges): ReadRanges {
  const both: [first: number, last: number][] = [];
  for (const [first, last] of [...one, ...other].toSorted(([a], [b]) => a - b)) {
    const before = both.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else both.push([first, last]);
  }
  return both;
}

/** Parses only the last range: a member who only writes has one per message. @returns undefined if `first` lies before it. */
export function appended(written: string, [first, last]: Range): string | undefined {
  const start = written.lastIndexOf('[');
  // `written` contains no ranges yet.
  if (start === 0) return writeRanges([[first, last]]);
  const newest: Range = JSON.parse(written.slice(start, -1));
  if (first < newest[0]) return undefined;
  if (first > newest[1] + 1) return `${written.slice(0, -1)},[${first},${last}]]`;
  return `${written.slice(0, start)}[${newest[0]},${Math.max(newest[1], last)}]]`;
}

/** Joins two texts of ranges, the later ranges second. Only the ranges that meet are parsed. */
export function joined(written: string, after: string): string {
  const end = after.indexOf(']') + 1;
  if (after === none) return written;
  const first: Range = JSON.parse(after.slice(1, end));
  const both = appended(written, first);
  if (both === undefined) throw new RangeError(`${after.slice(0, end)} … lies before the last of the others`);
  return `${both.slice(0, -1)}${after.slice(end)}`;
}

export function difference(ranges: ReadRanges, less: ReadRanges): ReadRanges {
  let at = 0;
  return ranges.flatMap(([first, last]) => {
    const left: Range[] = [];
    let next = first;
    while (at > 0 && (less[at - 1]?.[1] ?? 0) >= first) at -= 1;
    for (let taken = less[at]; taken && taken[0] <= last; taken = less[at]) {
      if (taken[0] > next) left.push([next, taken[0] - 1]);
      next = Math.max(next, taken[1] + 1);
      at += 1;
    }
    if (next <= last) left.push([next, last]);
    return left;
  });
}

export const add = (ranges: ReadRanges, more: Range): ReadRanges => union(ranges, [more]);
export const remove = (ranges: ReadRanges, less: Range): ReadRanges => difference(ranges, [less]);

/** The parts between `after` (excluded) and `upTo` (included) that no range covers. */
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
