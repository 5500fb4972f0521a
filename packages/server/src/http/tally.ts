/** Counts a sum per key, and removes a key whose sum is 0 from memory. */
export class Tally<Key> {
  readonly #sums = new Map<Key, number>();

  of(key: Key): number {
    return this.#sums.get(key) ?? 0;
  }

  add(key: Key, amount: number): void {
    const sum = this.of(key) + amount;
    if (sum > 0) this.#sums.set(key, sum);
    else this.#sums.delete(key);
  }
}
