/** A deterministic random number generator (mulberry32). */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  some<Value>(values: readonly Value[], probability: number): Value[];
}

export function seeded(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick(values) {
      const [value] = values.slice(below(values.length));
      if (value === undefined) throw new RangeError('there is nothing to pick from');
      return value;
    },
    some: (values, probability) => values.filter(() => next() < probability),
  };
}
