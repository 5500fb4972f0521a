interface Head<Value> {
  readonly source: Iterator<Value>;
  readonly value: Value;
}

type Before<Value> = (one: Value, other: Value) => boolean;

/** Merges sources that are each in the order of `before`. It reads one value of each source ahead, and more only as needed. */
export function* merge<Value>(sources: readonly Iterator<Value>[], before: Before<Value>): Generator<Value, void> {
  // The next value is the last element, because removing the last element moves no others.
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
}

function placeFor<Value>(value: Value, heads: readonly Head<Value>[], before: Before<Value>): number {
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
