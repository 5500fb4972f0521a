/** Functions that return the identical object while it would be equal, so that `Object.is` detects a change. */

export function memoise<Input extends readonly unknown[], Output>(
  compute: (...input: Input) => Output,
): (...input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | undefined;
  return (...input) => {
    if (!last || !isSame(last.input, input)) last = { input, output: compute(...input) };
    return last.output;
  };
}

/** Returns the previous array or object again if the new one holds the same values. */
export function stable<T extends object>(): (value: T) => T {
  let last: T | undefined;
  return (value) => {
    if (value !== last && !(last && isSame(Object.values(last), Object.values(value)))) last = value;
    return last ?? value;
  };
}

export function perKey<K, V>(create: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => values.get(key) ?? stored(values, key, create(key));
}

export function perObject<K extends WeakKey, V>(create: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => values.get(key) ?? stored(values, key, create(key));
}

function stored<K, V>(values: { set(key: K, value: V): unknown }, key: K, value: V): V {
  values.set(key, value);
  return value;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => Object.is(each, other[index]));
}
