import { createContext, Script } from 'node:vm';
import { maxLinkifierLength, maxMessageLength } from '@engawa/protocol';
import { refused } from '../errors.ts';

/** Milliseconds of processor time. A pattern that a time limit ends after more of it is too slow. */
const longestCheck = 250;
/** Milliseconds by the clock. Each attempt is longer, because on a busy machine other programs have the processor most of the time. */
const timeLimits = [2, 4, 8, 16].map((times) => times * longestCheck);

/**
 * Checks a pattern of a linkifier, which the server applies to the text of every message: a pattern that backtracks without end would
 * stop it. So no group repeats, nothing looks around or back, and messages that repeat one character are matched quickly.
 * @throws ChatError
 */
export function checkPattern(pattern: string): void {
  if (pattern === '' || pattern.length > maxLinkifierLength) throw refused.because('Bad regular expression: empty or too long');
  if (/\(\?(?!:|P<\w+>)/.test(pattern) || /\\[1-9k]/.test(pattern)) throw refused.because('Bad regular expression: unsupported');
  if (/\)[*+{]/.test(pattern)) throw refused.because('Bad regular expression: groups may not repeat');
  const characters = new Set([...pattern, ...commonCharacters, ...escapedIn(pattern)]);
  // The ending keeps a match from succeeding, which is the slowest case.
  matchInTime(
    pattern,
    [...characters].map((character) => `${character.repeat(maxMessageLength)}\u0000`),
  );
}

/** Of the texts that members write, because a class of characters may contain none of those that the pattern names. */
const commonCharacters = 'aA0-_ .,/:#\n\u00e9あア漢ーａ😀';

/** The characters that the pattern names by their codes. */
const escapedIn = (pattern: string): string[] =>
  [...pattern.matchAll(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi)].map(([, short, long]) =>
    String.fromCharCode(parseInt(short ?? long ?? '', 16)),
  );

/** The JavaScript for a pattern with named groups of RE2. A match must not stand directly next to a letter or digit. */
export const linkifierSource = (pattern: string): string =>
  `(?<![A-Za-z0-9])(?:${pattern.replaceAll('(?P<', '(?<')})(?![A-Za-z0-9])`;

const script = new Script(`
  const hits = new RegExp(source, 'g');
  for (const text of texts) for (const hit of text.matchAll(hits));
`);

function matchInTime(pattern: string, texts: readonly string[]): void {
  const source = linkifierSource(pattern);
  for (const timeout of timeLimits) {
    const before = process.cpuUsage();
    try {
      script.runInContext(createContext({ source, texts }), { timeout });
      return;
    } catch (error) {
      if (!isTimeout(error)) throw refused.because('Bad regular expression');
    }
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 > longestCheck) throw refused.because('Bad regular expression: too slow');
  }
  throw refused.because('The server is too busy to check this linkifier.');
}

/** Errors of another context are no instances of the classes of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** The names of the groups of a pattern. */
export const groupsIn = (pattern: string): Set<string> => new Set(pattern.matchAll(/\(\?P<(\w+)>/g).map(([, name = '']) => name));

/** The names of the variables of a URI template (RFC 6570). @throws ChatError for a template that is no address. */
export function variablesIn(template: string): Set<string> {
  const names = new Set<string>();
  const filled = template.replaceAll(/\{\+?(\w+)\}/g, (_, name: string) => {
    names.add(name);
    return 'x';
  });
  const isAddress = URL.canParse(filled) && /^https?:$/.test(new URL(filled).protocol) && !/[{}]/.test(filled);
  if (!isAddress || template.length > maxLinkifierLength) throw refused.because('Invalid URL template.');
  return names;
}
