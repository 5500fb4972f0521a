/** Upper bounds in seconds. An SSD commits within 1 ms, a slow disk within 100 ms; a call of more than 1 s is felt by everybody. */
const bounds = [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 5] as const;

/** Counts durations in a few classes, as a Prometheus histogram needs them, so that noting one costs some nanoseconds. */
export class Durations {
  static readonly bounds: readonly number[] = bounds;
  /** How many were at most as long as each bound and longer than the one before; the last is for all longer ones. */
  readonly classes: readonly number[];
  readonly #classes: number[] = Array.from({ length: bounds.length + 1 }, () => 0);
  #count = 0;
  #seconds = 0;

  constructor() {
    this.classes = this.#classes;
  }

  get count(): number {
    return this.#count;
  }

  /** The sum. */
  get seconds(): number {
    return this.#seconds;
  }

  note(milliseconds: number): void {
    const seconds = milliseconds / 1000;
    let index = 0;
    for (const bound of bounds) {
      if (seconds <= bound) break;
      index += 1;
    }
    this.#classes[index] = (this.#classes[index] ?? 0) + 1;
    this.#count += 1;
    this.#seconds += seconds;
  }
}
