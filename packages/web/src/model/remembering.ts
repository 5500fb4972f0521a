/** Ways to give the same object again for as long as it would look the same. */

/** Computes again only when an input is not the one of the last time. */
export function remembering<Input extends readonly unknown[], Output>(
  compute: (...input: Input) => Output,
): (...input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | undefined;
  return (...input) => {
    if (!last || !isSame(last.input, input)) last = { input, output: compute(...input) };
    return last.output;
  };
}

/** Gives the last list again when the new one holds the same. */
export function keeping<T>(): (list: readonly T[]) => readonly T[] {
  let last: readonly T[] = [];
  return (list) => {
    if (!isSame(last, list)) last = list;
    return last;
  };
}

/** One of what `create` makes for each key. */
export function perKey<K, V>(create: () => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => made.get(key) ?? kept(made, key, create());
}

/** The same for objects, forgotten together with them. */
export function perObject<K extends WeakKey, V>(create: () => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => made.get(key) ?? kept(made, key, create());
}

function kept<K, V>(made: { set(key: K, value: V): unknown }, key: K, value: V): V {
  made.set(key, value);
  return value;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => Object.is(each, other[index]));
}
