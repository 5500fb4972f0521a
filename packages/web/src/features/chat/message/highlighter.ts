import type { Emitter } from 'highlight.js';
import hljs from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import type { Grammar } from './codeLanguages.ts';

/** The tokens of `tokens.css`, without `--code-`. */
type Colour = 'keyword' | 'name' | 'string' | 'comment' | 'type' | 'attribute' | 'deletion';

export interface Run {
  readonly text: string;
  readonly colour: Colour | undefined;
}

/** Limit of parts: each becomes an element, and layout becomes slow. Real code has fewer. */
const mostRuns = 4000;

/** https://highlightjs.readthedocs.io/en/latest/css-classes-reference.html */
const scopes: readonly (readonly [Colour, string])[] = [
  ['keyword', 'keyword operator variable.language selector-tag section name'],
  ['name', 'title number literal symbol link selector-id'],
  ['string', 'string regexp char.escape code addition'],
  ['comment', 'comment quote doctag meta'],
  ['type', 'type built_in title.class selector-class selector-pseudo'],
  ['attribute', 'attr attribute selector-attr variable template-variable bullet'],
  ['deletion', 'deletion'],
];
const colours: ReadonlyMap<string, Colour | undefined> = new Map([
  ...scopes.flatMap(([colour, names]) => names.split(' ').map((name) => [name, colour] as const)),
  // An expression inside a template string is code, not part of the string.
  ['subst', undefined] as const,
]);

/** An emitter that collects parts. The default emitter of highlight.js writes HTML. */
class Runs implements Emitter {
  readonly runs: Run[] = [];
  readonly #open: (Colour | undefined)[] = [];

  addText(text: string): void {
    this.#add(text, this.#open.at(-1));
  }

  startScope(scope: string): void {
    this.#open.push(colourOf(scope, this.#open.at(-1)));
  }

  endScope(): void {
    this.#open.pop();
  }

  /** highlight.js also calls `openNode`, the older name of this method. */
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(inner: Emitter): void {
    if (inner instanceof Runs) inner.runs.forEach(({ text, colour }) => this.#add(text, colour));
  }

  finalize(): void {
    this.#open.length = 0;
  }

  toHTML(): string {
    return '';
  }

  #add(text: string, colour: Colour | undefined): void {
    const last = this.runs.at(-1);
    if (last?.colour === colour && last) this.runs[this.runs.length - 1] = { text: last.text + text, colour };
    else if (text !== '') this.runs.push({ text, colour });
  }
}

function colourOf(scope: string, outer: Colour | undefined): Colour | undefined {
  const parts = scope.split('.');
  const names = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
  const known = names.find((name) => colours.has(name));
  return known === undefined ? outer : colours.get(known);
}

hljs.configure({ __emitter: Runs });
hljs.registerLanguage('dockerfile', dockerfile);

/** One part if highlight.js fails, or if there would be too many parts. */
export function highlight(grammar: Grammar, code: string): readonly Run[] {
  const { _emitter, errorRaised } = hljs.highlight(code, { language: grammar, ignoreIllegals: true });
  const found = _emitter instanceof Runs && !errorRaised && _emitter.runs.length <= mostRuns;
  return found ? _emitter.runs : [{ text: code, colour: undefined }];
}
