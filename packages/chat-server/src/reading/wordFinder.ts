import { isLatinOrDigit, isWordAt } from '@engawa/folding';

/** A state of the automaton: the longest beginning of a word with which the text read so far ends. */
interface State {
  readonly next: Map<number, State>;
  /** The word that is complete here; empty if none is. */
  word: string;
  /** The state of the next shorter ending that begins a word, too; undefined at the start. */
  fallback: State | undefined;
  /** The nearest state along the fallbacks at which a word is complete. */
  shorter: State | undefined;
}

const state = (): State => ({ next: new Map(), word: '', fallback: undefined, shorter: undefined });

/**
 * Finds words in texts: https://en.wikipedia.org/wiki/Aho–Corasick_algorithm. Next to a Latin letter or digit at the end of a
 * word the text must not have another one. Japanese has no spaces between words, so its words are found anywhere.
 */
export class WordFinder {
  readonly #beginning = state();

  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(word);
    this.#join();
  }

  #add(word: string): void {
    let last = this.#beginning;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      const next = last.next.get(unit) ?? state();
      last.next.set(unit, next);
      last = next;
    }
    last.word = word;
  }

  /** Breadth first, because the fallback of a state is shorter and must be complete before it. */
  #join(): void {
    const states = [this.#beginning];
    for (const from of states) {
      for (const [unit, next] of from.next) {
        const fallback = from.fallback ? after(from.fallback, unit) : this.#beginning;
        next.fallback = fallback;
        next.shorter = fallback.word === '' ? fallback.shorter : fallback;
        states.push(next);
      }
    }
  }

  /** The work grows with the text and the words found, not with all words. */
  wordsIn(text: string): Set<string> {
    const found = new Set<string>();
    const note = (word: string, end: number) => {
      if (word !== '' && isWordAt(text, end - word.length, end)) found.add(word);
    };
    // States whose shorter words were noted already, separately for a next character that continues a Latin word.
    const seen = { goesOn: new Set<State>(), ends: new Set<State>() };
    let read = this.#beginning;
    for (let end = 1; end <= text.length; end += 1) {
      read = after(read, text.charCodeAt(end - 1));
      note(read.word, end);
      if (!read.shorter) continue;
      const before = isLatinOrDigit(text.charAt(end)) ? seen.goesOn : seen.ends;
      if (before.has(read)) continue;
      before.add(read);
      for (let inner: State | undefined = read.shorter; inner; inner = inner.shorter) note(inner.word, end);
    }
    return found;
  }
}

function after(from: State, unit: number): State {
  let at = from;
  for (;;) {
    const next = at.next.get(unit);
    if (next) return next;
    if (!at.fallback) return at;
    at = at.fallback;
  }
}
