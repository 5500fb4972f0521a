import { isLatinOrDigit, isWordAt } from '@engawa/folding';

/** How far into the words a text was read. */
interface Place {
  /** By UTF-16 unit. */
  readonly next: Map<number, Place>;
  /** The word that ends here; empty where none does. */
  word: string;
  /** The longest end of what was read here that begins a word, too. At the beginning there is none. */
  fallback: Place | undefined;
  /** The nearest place on the way of the fallbacks at which a word ends. */
  shorter: Place | undefined;
}

const place = (): Place => ({ next: new Map(), word: '', fallback: undefined, shorter: undefined });

/**
 * Finds words in texts. A word that begins or ends with a Latin letter or a digit stands there only where the text does
 * not go on with one; Japanese, which has no space between words, is found anywhere.
 * https://en.wikipedia.org/wiki/Aho–Corasick_algorithm
 */
export class WordFinder {
  readonly #beginning = place();

  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(word);
    this.#join();
  }

  #add(word: string): void {
    let last = this.#beginning;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      const next = last.next.get(unit) ?? place();
      last.next.set(unit, next);
      last = next;
    }
    last.word = word;
  }

  /** Breadth first: what a fallback needs is shorter and there already. */
  #join(): void {
    const places = [this.#beginning];
    for (const from of places) {
      for (const [unit, next] of from.next) {
        const fallback = from.fallback ? after(from.fallback, unit) : this.#beginning;
        next.fallback = fallback;
        next.shorter = fallback.word === '' ? fallback.shorter : fallback;
        places.push(next);
      }
    }
  }

  /** The words that stand in a text. The work grows with the text and with what is found in it, not with the words. */
  wordsIn(text: string): Set<string> {
    const found = new Set<string>();
    const note = (word: string, end: number) => {
      if (word !== '' && isWordAt(text, end - word.length, end)) found.add(word);
    };
    // The words that end within another are as they were where the same was read before and went on in the same way.
    const seen = { goesOn: new Set<Place>(), ends: new Set<Place>() };
    let read = this.#beginning;
    for (let end = 1; end <= text.length; end += 1) {
      read = after(read, text.charCodeAt(end - 1));
      note(read.word, end);
      if (!read.shorter) continue;
      const before = isLatinOrDigit(text.charAt(end)) ? seen.goesOn : seen.ends;
      if (before.has(read)) continue;
      before.add(read);
      for (let inner: Place | undefined = read.shorter; inner; inner = inner.shorter) note(inner.word, end);
    }
    return found;
  }
}

/** The state after one more unit. */
function after(from: Place, unit: number): Place {
  let at = from;
  for (;;) {
    const next = at.next.get(unit);
    if (next) return next;
    if (!at.fallback) return at;
    at = at.fallback;
  }
}
