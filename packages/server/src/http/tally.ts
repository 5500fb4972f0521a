/** A sum per key; a key whose sum is 0 takes no memory. */
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
