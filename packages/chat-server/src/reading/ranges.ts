/** A range of message ids. It includes both ends. */
export type Range = readonly [first: number, last: number];
/** Ranges in ascending order. At least one id lies between two neighbours. */
export type ReadRanges = readonly Range[];

export const parseRanges = (text: string): ReadRanges => JSON.parse(text);
export const writeRanges = (ranges: ReadRanges): string => JSON.stringify(ranges);

/** Of a written block, about 60 ranges. With it a row still fits into SQLite's page, without an overflow page. */
export const mostCharacters = 900;

export const includes = (ranges: ReadRanges, id: number): boolean => includesAll(ranges, id, id) === true;

/** @returns whether the ranges contain the ids from `first` to `last`; undefined if only some of them. */
export function includesAll(ranges: ReadRanges, first: number, last: number): boolean | undefined {
  const range = ranges[firstNotBelow(ranges, first)];
  if (range === undefined || range[0] > last) return false;
  return range[0] <= first && last <= range[1] ? true : undefined;
}

/** @returns the last id of written ranges, 0 if there is none. Nothing else is parsed. */
export const lastRead = (written: string): number => Number(written.slice(written.lastIndexOf(',') + 1, -2));

export function union(one: ReadRanges, other: ReadRanges): ReadRanges {
  const both: [first: number, last: number][] = [];
  for (const [first, last] of [...one, ...other].toSorted(([a], [b]) => a - b)) {
    const before = both.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else both.push([first, last]);
  }
  return both;
}

/** Parses only the last written range: there may be many. @returns undefined if `more`, in ascending order, begins before it. */
export function appended(written: string, more: ReadRanges): string | undefined {
  const start = Math.max(1, written.lastIndexOf('['));
  const newest = parseRanges(`[${written.slice(start)}`);
  const [first] = more;
  if (first && newest[0] && first[0] < newest[0][0]) return undefined;
  return written.slice(0, start) + writeRanges(union(newest, more)).slice(1);
}

/** Divides ranges into blocks of at most `mostCharacters`, at least one block. */
export function divided(ranges: ReadRanges): ReadRanges[] {
  let block: Range[] = [];
  const blocks = [block];
  let characters = 0;
  for (const range of ranges) {
    const more = writeRanges([range]).length;
    if (block.length > 0 && characters + more > mostCharacters) {
      block = [];
      blocks.push(block);
      characters = 0;
    }
    block.push(range);
    characters += more;
  }
  return blocks;
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
