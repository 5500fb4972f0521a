/** How many characters were charactersRead at, so that a test can see that the work grows with the text's length alone. */
export interface Work {
  charactersRead: number;
}

/** Which characters belong to a run. */
export type CharacterTest = (character: string) => boolean;

/** Text that is charactersRead at ahead. A run is walked once: who asks again inside it is told its end. */
export class Source {
  readonly text: string;
  readonly #work: Work;
  readonly #runs = new Map<CharacterTest, { readonly from: number; readonly end: number }>();

  constructor(text: string, work: Work) {
    this.text = text;
    this.#work = work;
  }

  /** Empty beyond the text's ends. */
  charAt(at: number): string {
    this.#work.charactersRead += 1;
    return this.text.charAt(at);
  }

  startsWith(beginning: string, at: number): boolean {
    this.#work.charactersRead += beginning.length;
    return this.text.startsWith(beginning, at);
  }

  /** Where the run of characters that `belongs` lets pass ends, if one begins at `at`; else `at`. */
  runEnd(at: number, belongs: CharacterTest): number {
    const known = this.#runs.get(belongs);
    if (known && at >= known.from && at <= known.end) return known.end;
    let end = at;
    while (end < this.text.length && belongs(this.charAt(end))) end += 1;
    this.#runs.set(belongs, { from: at, end });
    return end;
  }

  slice(from: number, to: number): string {
    this.#work.charactersRead += to - from;
    return this.text.slice(from, to);
  }
}

/** Marks and addresses stand freely beside Japanese text, but not within a word of ASCII letters and digits. */
export const isWordCharacter: CharacterTest = (character) => /^[A-Za-z0-9]$/.test(character);
