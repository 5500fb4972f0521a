import { foreignMarkdown, plainSource } from '@engawa/markup/dialects';
import { linkSource } from './message.ts';

/** Writes Slack's mrkdwn as Markdown of Zulip. Mentions become their names, and notify nobody. */
export function mrkdwnSource(mrkdwn: string): string {
  const parts = mrkdwn.replaceAll(/\r\n?/g, '\n').split(/```\n?([\s\S]*?)\n?```/);
  return parts
    .map((part, index) => (index % 2 === 1 ? fenced(unescaped(part)) : linesSource(part)))
    .filter((part) => part !== '')
    .join('\n');
}

/** Slack escapes these three characters, and no others. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Replaces the escapes of a text in which Slack knows no formatting. */
export function plainOf(text: string): string {
  return plainSource(unescaped(text));
}

/** A fence is longer than the runs of backticks in the code. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return code.trim() === '' ? '' : `${fence}\n${code}\n${fence}`;
}

function linesSource(text: string): string {
  let quotesRest = false;
  const lines = text.split('\n').map((line) => {
    const [mark = '', rest = line] = quoteOf(line);
    quotesRest ||= mark === '>>>';
    const source = foreignMarkdown(inlineSource(rest));
    return mark !== '' || quotesRest ? `> ${source}` : source;
  });
  return separateQuotes(lines)
    .join('\n')
    .replaceAll(/^\n+|(?<!\n)\n+$/g, '');
}

function quoteOf(line: string): [string, string] | [] {
  const [, marks, rest = ''] = /^(>>>|>|(?:&gt;){3}|&gt;) ?(.*)$/s.exec(line) ?? [];
  return marks === undefined ? [] : [unescaped(marks), rest];
}

const isQuote = (line: string | undefined): boolean => line?.startsWith('> ') ?? false;

/** A blank line ends a quote in Markdown, but not in mrkdwn. */
function separateQuotes(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => (isQuote(lines[index - 1]) && !isQuote(line) && line !== '' ? ['', line] : [line]));
}

const marks: Readonly<Record<string, string>> = { '*': '**', _: '*', '~': '~~' };
/** A mark counts beside a word only at its outer side, as in Slack. What is between two marks has none of them. */
const token =
  /(?<!`)`([^`\n]+)`(?!`)|<([^<>\n]*)>|(:[\w+-]+:)|(?<![\p{L}\p{N}*_~])([*_~])(?!\s)((?:(?!\4)[^\n])+?)(?<!\s)\4(?![\p{L}\p{N}*_~])/gu;
/** Marks nested deeper than this stay text. */
const maxNesting = 3;

function inlineSource(line: string, nesting = 0): string {
  const sources: string[] = [];
  let after = 0;
  for (const found of line.matchAll(token)) {
    sources.push(plainOf(line.slice(after, found.index)));
    after = found.index + found[0].length;
    const [whole, code, reference, emoji, mark = '', inside = ''] = found;
    if (code !== undefined) sources.push(`\`${unescaped(code)}\``);
    else if (reference !== undefined) sources.push(referenceSource(reference));
    else if (emoji !== undefined) sources.push(emoji);
    else if (nesting === maxNesting) sources.push(plainOf(whole));
    else sources.push(`${marks[mark]}${inlineSource(inside, nesting + 1)}${marks[mark]}`);
  }
  sources.push(plainOf(line.slice(after)));
  return sources.join('');
}

/** `<address|label>`, `<@member>`, `<#channel|name>`, `<!channel>`, `<!date^…|text>`. */
function referenceSource(reference: string): string {
  const bar = reference.indexOf('|');
  const target = unescaped(bar < 0 ? reference : reference.slice(0, bar));
  const label = bar < 0 ? undefined : unescaped(reference.slice(bar + 1));
  const rest = target.slice(1);
  switch (target.charAt(0)) {
    case '@':
      return plainSource(`@${label?.replace(/^@/, '') ?? rest}`);
    case '#':
      return plainSource(`#${label?.replace(/^#/, '') ?? rest}`);
    case '!':
      return plainSource(label ?? `@${rest.split('^', 1).join('')}`);
    default:
      return linkSource(label ?? target.replace(/^mailto:/i, ''), target);
  }
}
