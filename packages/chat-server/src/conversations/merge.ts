interface Head<Value> {
  readonly source: Iterator<Value>;
  readonly value: Value;
}

/**
 * The values of several sources in one order. Each source must give its own in the order that `before` says. A source
 * is asked for its first value, and then for no more than is taken from it.
 */
export function* merge<Value>(
  sources: readonly Iterator<Value>[],
  before: (one: Value, other: Value) => boolean,
): Generator<Value, undefined> {
  // The first stands last, where taking it moves nothing.
  const heads: Head<Value>[] = [];
  const put = (source: Iterator<Value>) => {
    const { done, value } = source.next();
    if (!done) heads.splice(placeFor(value, heads, before), 0, { source, value });
  };
  for (const source of sources) put(source);
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head.value;
    put(head.source);
  }
  return undefined;
}

function placeFor<Value>(value: Value, heads: readonly Head<Value>[], before: (one: Value, other: Value) => boolean): number {
  let low = 0;
  let high = heads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const head = heads[middle];
    if (head && before(value, head.value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const newestFirst = (one: number, other: number): boolean => one > other;
export const oldestFirst = (one: number, other: number): boolean => one < other;
