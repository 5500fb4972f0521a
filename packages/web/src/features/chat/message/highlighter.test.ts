import { describe, expect, it } from 'vitest';
import { codeLanguageOf } from './codeLanguages.ts';
import { highlight } from './highlighter.ts';

/** Code with colours written as `colour[text]`. */
function shownAs(name: string, code: string): string {
  const language = codeLanguageOf(name);
  if (!language) return `unknown: ${name}`;
  return highlight(language.grammar, code)
    .map(({ text, colour }) => (colour ? `${colour}[${text}]` : text))
    .join('');
}

describe('[R5.3.1] highlight', () => {
  it.each([
    ['ts', 'const a: number = 1;', 'keyword[const] attribute[a]: type[number] = name[1];'],
    ['ts', 'f(`年${ n + 1 }月`) // 注', 'name[f](string[`年]${ n + name[1] }string[月`]) comment[// 注]'],
    ['JavaScript', 'class A extends B {}', 'keyword[class] type[A] keyword[extends] type[B] {}'],
    ['py', 'def f(x):\n    return "あ"', 'keyword[def] name[f](x):\n    keyword[return] string["あ"]'],
    ['sql', "SELECT a FROM t WHERE b = 'x'", "keyword[SELECT] a keyword[FROM] t keyword[WHERE] b keyword[=] string['x']"],
    ['sh', 'echo "$HOME"', 'type[echo] string["]attribute[$HOME]string["]'],
    ['diff', '-a\n+b', 'deletion[-a]\nstring[+b]'],
    ['json', '{ "a": null }', '{ attribute["a"]: keyword[null] }'],
    ['yaml', 'port: 80 # 待ち受け', 'attribute[port:] name[80] comment[# 待ち受け]'],
    ['html', '<b class="x">a</b>', '<keyword[b] attribute[class]=string["x"]>a</keyword[b]>'],
    ['css', '.a:hover { color: red; }', 'type[.a:hover] { attribute[color]: red; }'],
    ['go', 'func main() {}', 'keyword[func] name[main]() {}'],
    ['rust', 'let x: u8 = 1;', 'keyword[let] attribute[x]: type[u8] = name[1];'],
    ['java', '@Override int f() {}', 'comment[@Override] type[int] name[f]() {}'],
    ['c#', 'var s = $"{x}";', 'keyword[var] s = string[$"]{x}string["];'],
    ['toml', '[a]\nb = 1', 'keyword[[a]]\nattribute[b] = name[1]'],
    ['Dockerfile', 'RUN npm ci', 'keyword[RUN] npm ci'],
  ])('highlight colours %s: %s', (name, code, shown) => {
    expect(shownAs(name, code)).toBe(shown);
  });

  it.each(['c', 'c++', 'kotlin', 'php', 'ruby', 'swift', 'md'])('highlight has a grammar for %s', (name) => {
    const language = codeLanguageOf(name);
    expect(language && highlight(language.grammar, '1')).not.toHaveLength(0);
  });

  it('highlight colours code of another language inside the code', () => {
    expect(shownAs('html', '<style>a { color: red }</style>')).toContain('attribute[color]');
    expect(shownAs('html', '<script>let a</script>')).toContain('keyword[let]');
  });

  it.each(['ts', 'html', 'md', 'sh', 'diff', 'yaml'])('highlight returns the text of %s unchanged', (name) => {
    const code = '<img src=x onerror="alert(1)">&amp;\n\t`${x}` # 注 // 𠮷\r\n';
    const language = codeLanguageOf(name);
    const runs = language ? highlight(language.grammar, code) : [];
    expect(runs.map(({ text }) => text).join('')).toBe(code);
  });

  it('highlight returns code without colours if it would have too many coloured parts', () => {
    const code = '1;'.repeat(5000);
    expect(highlight('typescript', code)).toEqual([{ text: code, colour: undefined }]);
  });
});

it.each(['', 'cobol', 'constructor', '__proto__'])('codeLanguageOf returns undefined for “%s”', (name) => {
  expect(codeLanguageOf(name)).toBeUndefined();
});
