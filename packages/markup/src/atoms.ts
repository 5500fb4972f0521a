import { safeHref, bareAddressAt } from './address.ts';
import { type CharacterTest, type Source, isWordCharacter } from './source.ts';
import type { Inline } from './tree.ts';

/** An inline whose text is not parsed for marks, such as a link, and its length in the text. */
export interface Atom {
  readonly node: Inline;
  readonly length: number;
}

/** @param spans the result of `codeSpans`. */
export function atomAt(source: Source, at: number, spans: ReadonlyMap<number, number>): Atom | undefined {
  switch (source.charAt(at)) {
    case '`':
      return codeAt(source, at, spans);
    case 'h':
    case 'H':
      return linkAt(source, at);
    case '[':
      return namedLinkAt(source, at);
    case '@':
      return mentionAt(source, at);
    case '#':
      return streamLinkAt(source, at);
    case ':':
      return emojiAt(source, at);
    case '$':
      return mathAt(source, at);
    case '<':
      return timeAt(source, at);
    default:
      return undefined;
  }
}

const isBacktick: CharacterTest = (character) => character === '`';

/** Maps the start of each code span to its closing run of backticks: the next run of the same length on the line. */
export function codeSpans(source: Source): ReadonlyMap<number, number> {
  const spans = new Map<number, number>();
  const openByLength = new Map<number, number>();
  for (let at = 0; at < source.text.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\n') openByLength.clear();
    if (character !== '`') continue;
    const end = source.runEnd(at, isBacktick);
    const open = openByLength.get(end - at);
    if (open !== undefined) spans.set(open, at);
    openByLength.set(end - at, at);
    at = end - 1;
  }
  return spans;
}

function codeAt(source: Source, at: number, spans: ReadonlyMap<number, number>): Atom {
  const inside = source.runEnd(at, isBacktick);
  const fence = inside - at;
  const close = spans.get(at);
  const code = close === undefined ? '' : source.slice(inside, close);
  const isCode = close !== undefined && code.trim() !== '';
  if (!isCode) return { node: { kind: 'text', text: '`'.repeat(fence) }, length: fence };
  return { node: { kind: 'code', text: code }, length: close + fence - at };
}

function linkAt(source: Source, at: number): Atom | undefined {
  const found = bareAddressAt(source, at);
  if (!found) return undefined;
  const { href, length } = found;
  if (href === undefined) return { node: { kind: 'text', text: source.slice(at, at + length) }, length };
  return { node: { kind: 'link', href, label: href }, length };
}

const inLabel: CharacterTest = (character) => !/[[\]\n]/.test(character);

function namedLinkAt(source: Source, at: number): Atom | undefined {
  const labelEnd = source.runEnd(at + 1, inLabel);
  if (!source.startsWith('](', labelEnd)) return undefined;
  const addressEnd = closingBracket(source, labelEnd + 2);
  if (addressEnd === undefined) return undefined;
  const href = safeHref(source.slice(labelEnd + 2, addressEnd));
  if (href === undefined) return undefined;
  const label = source.slice(at + 1, labelEnd).trim();
  return { node: { kind: 'link', href, label: label === '' ? href : label }, length: addressEnd + 1 - at };
}

function closingBracket(source: Source, from: number): number | undefined {
  let open = 1;
  for (let at = from; at < source.text.length; at += 1) {
    const character = source.charAt(at);
    if (/[\s[\]]/.test(character)) return undefined;
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open === 0) return at;
  }
  return undefined;
}

const inName: CharacterTest = (character) => character !== '*' && character !== '\n';
const wildcards = new Set(['all', 'everyone', 'channel', 'stream']);
/** Zulip's mention of a topic's participants. It stays text, because the server does not know the participants. */
const participantsMention = 'topic';

/** `@**Name**`, `@**Name|id**`, `@**|id**`, `@**all**`, `@*group*`. With `_` after the `@` it is silent. */
function mentionAt(source: Source, at: number): Atom | undefined {
  if (isWordCharacter(source.charAt(at - 1))) return undefined;
  const silent = source.charAt(at + 1) === '_';
  const found = starredAt(source, at + (silent ? 2 : 1));
  if (!found) return undefined;
  const { name, stars, end } = found;
  const length = end - at;
  if (stars === '**' && name === participantsMention) return { node: { kind: 'text', text: source.slice(at, end) }, length };
  return { node: mentionOf(name, stars, silent), length };
}

function mentionOf(name: string, stars: string, silent: boolean): Inline {
  if (stars === '*') return { kind: 'group-mention', name, silent };
  if (wildcards.has(name)) return { kind: 'wildcard-mention', name, silent };
  const bar = name.lastIndexOf('|');
  const id = name.slice(bar + 1);
  if (bar < 0 || !/^\d{1,15}$/.test(id)) return { kind: 'user-mention', name, id: undefined, silent };
  return { kind: 'user-mention', name: name.slice(0, bar), id: Number(id), silent };
}

/** `#**stream**`, `#**stream>topic**`, `#**stream>topic@message**` */
function streamLinkAt(source: Source, at: number): Atom | undefined {
  if (isWordCharacter(source.charAt(at - 1))) return undefined;
  const found = starredAt(source, at + 1);
  if (!found || found.stars === '*') return undefined;
  return { node: streamLinkOf(found.name), length: found.end - at };
}

function streamLinkOf(name: string): Inline {
  const arrow = name.indexOf('>');
  const [stream, place] = [name.slice(0, arrow), name.slice(arrow + 1)];
  if (arrow < 1 || place === '') return { kind: 'stream-link', stream: name };
  const message = /@(\d{1,15})$/.exec(place);
  const topic = message ? place.slice(0, message.index) : place;
  return { kind: 'topic-link', stream, topic, messageId: message ? Number(message[1]) : undefined };
}

function starredAt(source: Source, at: number) {
  const stars = ['**', '*'].find((each) => source.startsWith(each, at));
  if (stars === undefined) return undefined;
  const start = at + stars.length;
  const close = source.runEnd(start, inName);
  const name = source.slice(start, close);
  const isName = name.trim() !== '' && source.startsWith(stars, close);
  return isName ? { name, stars, end: close + stars.length } : undefined;
}

const inEmojiName: CharacterTest = (character) => /^[A-Za-z0-9_+-]$/.test(character);

/** `:name:`, but not the beginning of `:https://…`. */
function emojiAt(source: Source, at: number): Atom | undefined {
  if (isWordCharacter(source.charAt(at - 1))) return undefined;
  const end = source.runEnd(at + 1, inEmojiName);
  if (end === at + 1 || source.charAt(end) !== ':' || source.charAt(end + 1) === '/') return undefined;
  return { node: { kind: 'emoji', name: source.slice(at + 1, end) }, length: end + 1 - at };
}

const inMath: CharacterTest = (character) => character !== '$' && character !== '\n';

function mathAt(source: Source, at: number): Atom | undefined {
  if (!source.startsWith('$$', at) || isWordCharacter(source.charAt(at - 1))) return undefined;
  const end = source.runEnd(at + 2, inMath);
  const text = source.slice(at + 2, end);
  if (text.trim() === '' || !source.startsWith('$$', end)) return undefined;
  return { node: { kind: 'math', text }, length: end + 2 - at };
}

const inTime: CharacterTest = (character) => !/[<>\n]/.test(character);
const timePrefix = '<time:';

/** `<time:2026-11-20T10:00:00+09:00>`, or unix seconds. */
function timeAt(source: Source, at: number): Atom | undefined {
  if (!source.startsWith(timePrefix, at)) return undefined;
  const from = at + timePrefix.length;
  const end = source.runEnd(from, inTime);
  const text = source.slice(from, end);
  const time = timeIn(text);
  if (time === undefined || source.charAt(end) !== '>') return undefined;
  return { node: { kind: 'time', time, text }, length: end + 1 - at };
}

const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-]\d\d):?(\d\d))?$/;

/** Unix milliseconds. A text without a time zone is in UTC. */
function timeIn(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000;
  const parts = isoTime.exec(text);
  if (!parts) return undefined;
  const [, day, clock, hours, minutes] = parts;
  const time = Date.parse(`${day}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(time) ? undefined : time;
}
