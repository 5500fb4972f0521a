import { isLatinOrDigit, isWordAt } from '@engawa/folding';

/** A state of the automaton: the text read so far ends with the beginning of a word. The state stands for the longest one. */
interface State {
  readonly next: Map<number, State>;
  /** The word that ends in this state; empty if none does. */
  word: string;
  /** The state for the next shorter ending that also begins a word; undefined at the start. */
  fallback: State | undefined;
  /** The nearest state on the chain of fallbacks in which a word ends. */
  shorter: State | undefined;
}

const state = (): State => ({ next: new Map(), word: '', fallback: undefined, shorter: undefined });

/**
 * Finds words in texts: https://en.wikipedia.org/wiki/Aho–Corasick_algorithm. A Latin word is not
 * found inside a longer Latin word. Japanese has no spaces between words, so Japanese words are found anywhere.
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

  /** Visits short states first, because the fallback of a state is shorter and must be complete before it. */
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

  /** The work grows with the length of the text and the number of found words, not with the number of all words. */
  wordsIn(text: string): Set<string> {
    const found = new Set<string>();
    const note = (word: string, end: number) => {
      if (word !== '' && isWordAt(text, end - word.length, end)) found.add(word);
    };
    // States whose shorter words were already found. A Latin next character forbids a word end, so such states are separate.
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
