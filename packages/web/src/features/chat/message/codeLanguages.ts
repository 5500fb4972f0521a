const languages = [
  { grammar: 'bash', title: 'Shell', names: ['bash', 'sh', 'shell', 'zsh'] },
  { grammar: 'c', title: 'C', names: ['c', 'h'] },
  { grammar: 'cpp', title: 'C++', names: ['cpp', 'c++', 'cc', 'cxx', 'hpp'] },
  { grammar: 'csharp', title: 'C#', names: ['csharp', 'cs', 'c#'] },
  { grammar: 'css', title: 'CSS', names: ['css'] },
  { grammar: 'diff', title: 'Diff', names: ['diff', 'patch'] },
  { grammar: 'dockerfile', title: 'Dockerfile', names: ['dockerfile', 'docker'] },
  { grammar: 'go', title: 'Go', names: ['go', 'golang'] },
  { grammar: 'ini', title: 'INI', names: ['ini'] },
  { grammar: 'ini', title: 'TOML', names: ['toml'] },
  { grammar: 'java', title: 'Java', names: ['java'] },
  { grammar: 'javascript', title: 'JavaScript', names: ['javascript', 'js', 'jsx', 'mjs', 'cjs'] },
  { grammar: 'json', title: 'JSON', names: ['json', 'jsonc', 'json5'] },
  { grammar: 'kotlin', title: 'Kotlin', names: ['kotlin', 'kt', 'kts'] },
  { grammar: 'markdown', title: 'Markdown', names: ['markdown', 'md'] },
  { grammar: 'php', title: 'PHP', names: ['php'] },
  { grammar: 'python', title: 'Python', names: ['python', 'py'] },
  { grammar: 'ruby', title: 'Ruby', names: ['ruby', 'rb'] },
  { grammar: 'rust', title: 'Rust', names: ['rust', 'rs'] },
  { grammar: 'sql', title: 'SQL', names: ['sql'] },
  { grammar: 'swift', title: 'Swift', names: ['swift'] },
  { grammar: 'typescript', title: 'TypeScript', names: ['typescript', 'ts', 'tsx', 'mts', 'cts'] },
  { grammar: 'xml', title: 'HTML', names: ['html', 'xhtml'] },
  { grammar: 'xml', title: 'XML', names: ['xml', 'svg'] },
  { grammar: 'yaml', title: 'YAML', names: ['yaml', 'yml'] },
] as const;

export type Grammar = (typeof languages)[number]['grammar'];

export interface CodeLanguage {
  readonly grammar: Grammar;
  readonly title: string;
}

const byName: ReadonlyMap<string, CodeLanguage> = new Map(
  languages.flatMap((language) => language.names.map((name) => [name, language] as const)),
);

/** The language named after the opening ```; undefined if absent or unknown. Nothing is guessed. */
export function codeLanguageOf(name: string): CodeLanguage | undefined {
  return byName.get(name.toLowerCase());
}
