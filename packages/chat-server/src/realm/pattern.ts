import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { maxLinkifierLength, maxMessageLength } from '@engawa/protocol';
import { refused } from '../errors.ts';

/** Microseconds of processor time. A pattern that takes longer is refused. To start the thread takes some 40 ms of it. */
const longestCheck = 250_000;
/** Milliseconds between two looks at that time. */
const pause = 20;

/**
 * Checks a pattern of a linkifier, which the server applies to the text of every message: a pattern that backtracks without end would
 * stop it. So no group repeats, nothing looks around or back, and messages that repeat one character are matched quickly.
 * Another thread matches them, so that nobody waits for a slow pattern.
 * Rejects with a ChatError.
 */
export async function checkPattern(pattern: string): Promise<void> {
  if (pattern === '' || pattern.length > maxLinkifierLength) throw refused.because('Bad regular expression: empty or too long');
  if (/\(\?(?!:|P<\w+>)/.test(pattern) || /\\[1-9k]/.test(pattern)) throw refused.because('Bad regular expression: unsupported');
  if (/\)[*+{]/.test(pattern)) throw refused.because('Bad regular expression: groups may not repeat');
  const characters = new Set([...pattern, ...commonCharacters, ...escapedIn(pattern)]);
  // The ending keeps a match from succeeding, which is the slowest case.
  const texts = [...characters].map((character) => `${character.repeat(maxMessageLength)}\u0000`);
  const hits = compilePattern(pattern);
  if (!hits) throw refused.because('Bad regular expression');
  if (!(await matchesQuickly(hits, texts))) throw refused.because('Bad regular expression: too slow');
}

/** Characters that members often write. A pattern can match them by a class without naming them. */
const commonCharacters = 'aA0-_ .,/:#\n\u00e9あア漢ーａ😀';

/** The characters that the pattern names by their codes. */
const escapedIn = (pattern: string): string[] =>
  [...pattern.matchAll(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi)].map(([, short, long]) =>
    String.fromCharCode(parseInt(short ?? long ?? '', 16)),
  );

/** Converts RE2's syntax of named groups. A match must not stand directly next to a letter or digit. @returns undefined for no valid pattern. */
export function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`(?<![A-Za-z0-9])(?:${pattern.replaceAll('(?P<', '(?<')})(?![A-Za-z0-9])`, 'g');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** The thread stays alive until `terminate`, because `cpuUsage` fails after its end. */
const program = `
  const { parentPort, workerData: { hits, texts } } = require('node:worker_threads');
  for (const text of texts) for (const hit of text.matchAll(hits));
  parentPort.on('message', () => undefined).postMessage('matched');
`;

async function matchesQuickly(hits: RegExp, texts: readonly string[]): Promise<boolean> {
  const worker = new Worker(program, { eval: true, workerData: { hits, texts }, name: 'linkifier' });
  try {
    const matched = once(worker, 'message').then(() => true);
    await Promise.race([once(worker, 'online'), matched]);
    while (!(await Promise.race([matched, sleep(pause, false)]))) {
      const { user, system } = await worker.cpuUsage();
      if (user + system > longestCheck) return false;
    }
    return true;
  } finally {
    await worker.terminate();
  }
}

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
