/** Counts the characters read, so that a test can check that the work is linear in the text's length. */
export interface Work {
  charactersRead: number;
}

export type CharacterTest = (character: string) => boolean;

/** A text that the parser reads ahead. Each run is read once and its end is stored, so that the work stays linear. */
export class Source {
  readonly text: string;
  readonly #work: Work;
  readonly #runs = new Map<CharacterTest, { readonly from: number; readonly end: number }>();

  constructor(text: string, work: Work) {
    this.text = text;
    this.#work = work;
  }

  /** The character, or an empty text outside the source. */
  charAt(at: number): string {
    this.#work.charactersRead += 1;
    return this.text.charAt(at);
  }

  startsWith(beginning: string, at: number): boolean {
    this.#work.charactersRead += beginning.length;
    return this.text.startsWith(beginning, at);
  }

  /** The end of the run of matching characters that begins at `at`; `at` if there is none. */
  runEnd(at: number, isInRun: CharacterTest): number {
    const known = this.#runs.get(isInRun);
    if (known && at >= known.from && at <= known.end) return known.end;
    let end = at;
    while (end < this.text.length && isInRun(this.charAt(end))) end += 1;
    this.#runs.set(isInRun, { from: at, end });
    return end;
  }

  slice(from: number, to: number): string {
    this.#work.charactersRead += to - from;
    return this.text.slice(from, to);
  }
}

/** Marks and addresses may be next to Japanese text, but not inside a word of ASCII letters and digits. */
export const isWordCharacter: CharacterTest = (character) => /^[A-Za-z0-9]$/.test(character);
