/**
 * The languages that code is coloured in: highlight.js's grammar, what the language is called, and its small names beside
 * that of the grammar, which means the last of those that it is for.
 */
const languages = [
  ['bash', 'Shell', 'sh', 'shell', 'zsh'],
  ['c', 'C', 'h'],
  ['cpp', 'C++', 'c++', 'cc', 'cxx', 'hpp'],
  ['csharp', 'C#', 'cs', 'c#'],
  ['css', 'CSS'],
  ['diff', 'Diff', 'patch'],
  ['dockerfile', 'Dockerfile', 'docker'],
  ['go', 'Go', 'golang'],
  ['ini', 'TOML', 'toml'],
  ['ini', 'INI'],
  ['java', 'Java'],
  ['javascript', 'JavaScript', 'js', 'jsx', 'mjs', 'cjs'],
  ['json', 'JSON', 'jsonc', 'json5'],
  ['kotlin', 'Kotlin', 'kt', 'kts'],
  ['markdown', 'Markdown', 'md'],
  ['php', 'PHP'],
  ['python', 'Python', 'py'],
  ['ruby', 'Ruby', 'rb'],
  ['rust', 'Rust', 'rs'],
  ['sql', 'SQL'],
  ['swift', 'Swift'],
  ['typescript', 'TypeScript', 'ts', 'tsx', 'mts', 'cts'],
  ['xml', 'HTML', 'html', 'xhtml'],
  ['xml', 'XML', 'svg'],
  ['yaml', 'YAML', 'yml'],
] as const;

export type Grammar = (typeof languages)[number][0];

export interface CodeLanguage {
  readonly grammar: Grammar;
  readonly title: string;
}

const byName: ReadonlyMap<string, CodeLanguage> = new Map(
  languages.flatMap(([grammar, title, ...names]) => [grammar, ...names].map((name) => [name, { grammar, title }] as const)),
);

/** The language that is named after a fence; undefined where none is, or none that is known. Nothing is guessed. */
export function codeLanguageOf(name: string): CodeLanguage | undefined {
  return byName.get(name.toLowerCase());
}
