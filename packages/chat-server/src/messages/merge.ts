/**
 * The first `most` ids of several sources together. Each source must give its ids in the order that `before` says.
 * The work is `most` times the number of sources; a source is asked for no more than is taken from it.
 */
export function merge(
  sources: readonly Iterator<number>[],
  before: (one: number, other: number) => boolean,
  most: number,
): number[] {
  const heads = sources.map((source) => ({ source, id: next(source) }));
  const merged: number[] = [];
  while (merged.length < most) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.id !== undefined && (first?.id === undefined || before(head.id, first.id))) first = head;
    }
    if (first?.id === undefined) break;
    merged.push(first.id);
    first.id = next(first.source);
  }
  return merged;
}

export const newestFirst = (one: number, other: number): boolean => one > other;
export const oldestFirst = (one: number, other: number): boolean => one < other;

function next(source: Iterator<number>): number | undefined {
  const { done, value } = source.next();
  return done ? undefined : value;
}
