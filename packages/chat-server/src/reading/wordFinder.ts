import { isLatinOrDigit, isWordAt } from '@engawa/folding';

/** A state of the automaton: the text read so far ends with the beginning of a word. The state stands for the longest one. */
interface State {
  readonly next: Map<number, State>;
  /** The state before its last character; undefined at the beginning. */
  readonly before: State | undefined;
  readonly unit: number;
  /** The word that ends in this state; empty if none does. */
  word: string;
  /** The change of words after which `fallback` and `shorter` were found. */
  change: number;
  /** The state for the next shorter ending that also begins a word; undefined at the beginning. */
  fallback: State | undefined;
  /** The nearest state on the chain of fallbacks in which a word ends. */
  shorter: State | undefined;
}

const state = (before: State | undefined, unit: number): State => {
  return { next: new Map(), before, unit, word: '', change: -1, fallback: undefined, shorter: undefined };
};

/**
 * Finds words in texts: https://en.wikipedia.org/wiki/Aho–Corasick_algorithm. A Latin word is not
 * found inside a longer Latin word. Japanese has no spaces between words, so Japanese words are found anywhere.
 * Fallbacks are found again after a change, when a text needs them, so a change costs as much as its word is long.
 */
export class WordFinder {
  readonly #beginning = state(undefined, 0);
  #change = 0;

  add(word: string): void {
    this.#change += 1;
    let last = this.#beginning;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      const next = last.next.get(unit) ?? state(last, unit);
      last.next.set(unit, next);
      last = next;
    }
    last.word = word;
  }

  delete(word: string): void {
    this.#change += 1;
    let last: State | undefined = this.#beginning;
    for (let at = 0; last && at < word.length; at += 1) last = last.next.get(word.charCodeAt(at));
    if (last) last.word = '';
    for (; last?.before && last.word === '' && last.next.size === 0; last = last.before) last.before.next.delete(last.unit);
  }

  /** Fallbacks are shorter than their state, so the recursion is at most as deep as a word is long. */
  #joined(to: State): State {
    if (to.change === this.#change) return to;
    to.change = this.#change;
    if (!to.before) return to;
    const isFirst = to.before === this.#beginning;
    const fallback = this.#joined(isFirst ? this.#beginning : this.#after(this.#joined(to.before).fallback, to.unit));
    to.fallback = fallback;
    to.shorter = fallback.word === '' ? fallback.shorter : fallback;
    return to;
  }

  #after(from: State | undefined, unit: number): State {
    for (let at = from; at; at = this.#joined(at).fallback) {
      const next = at.next.get(unit);
      if (next) return next;
    }
    return this.#beginning;
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
      read = this.#joined(this.#after(read, text.charCodeAt(end - 1)));
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
