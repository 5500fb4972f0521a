import { type CharacterTest, type Source, isWordCharacter } from './source.ts';

/**
 * An address that may stand in a page: http, https, mailto, or one of the realm's own that begins with a slash.
 * Undefined for everything else, `javascript:` and `//elsewhere` among it.
 */
export function safeHref(text: string): string | undefined {
  if (/[\s\p{Cc}<>"\\]/u.test(text)) return undefined;
  if (/^https?:\/\//iu.test(text)) return URL.canParse(text) ? text : undefined;
  return /^mailto:[^:@]+@[^:@]+$/iu.test(text) || /^\/(?!\/)/.test(text) ? text : undefined;
}

/** Up to a space, or to the brackets, quotation marks and punctuation of Japanese text. */
const inAddress: CharacterTest = (character) =>
  !/[\s<>"`、。，．・！？：；…‥「」『』（）【】〔〕［］｛｝〈〉《》“”‘’～]/u.test(character);

const inPlainHost: CharacterTest = (character) => /^[A-Za-z0-9.-]$/.test(character);
const inHost: CharacterTest = (character) => inAddress(character) && !/[/?#]/.test(character);
const isDigit: CharacterTest = (character) => /^[0-9]$/.test(character);
const isHiragana: CharacterTest = (character) => /^\p{sc=Hiragana}$/u.test(character);

/**
 * An address that begins here without brackets around it, and how much of the text it takes. Without an address it is
 * text that looks like one, to be passed over whole, so that no part of it is tried again.
 */
export function bareAddressAt(
  source: Source,
  at: number,
): { readonly href: string | undefined; readonly length: number } | undefined {
  if (isWordCharacter(source.charAt(at - 1))) return undefined;
  const scheme = ['http://', 'https://'].find((each) => source.slice(at, at + each.length).toLowerCase() === each);
  if (scheme === undefined) return undefined;
  const host = at + scheme.length;
  if (source.runEnd(host, inAddress) === host) return undefined;
  const href = withoutTail(source.slice(at, sentenceAfter(source, host)));
  if (URL.canParse(href)) return { href, length: href.length };
  return { href: undefined, length: source.runEnd(host, inAddress) - at };
}

/**
 * Japanese goes on without a space after an address: https://example.com/を見て. Hiragana right after an ASCII letter or
 * digit, or after the first slash of the path, is the sentence again. Deeper it may begin a name, as in /wiki/のり, but
 * を begins none. A host written in ASCII ends where ASCII ends.
 */
function sentenceAfter(source: Source, host: number): number {
  const path = hostEnd(source, host);
  if (!/^[/?#]$/.test(source.charAt(path))) return path;
  const end = source.runEnd(path, inAddress);
  for (let at = path + 1; at < end; at += 1) {
    const [before, character] = [source.charAt(at - 1), source.charAt(at)];
    if (!isHiragana(character)) continue;
    const beginsPath = before === '/' && at === path + 1;
    if (beginsPath || isWordCharacter(before) || (character === 'を' && /[/=#]/.test(before))) return at;
  }
  return end;
}

function hostEnd(source: Source, from: number): number {
  const name = source.runEnd(from, inPlainHost);
  const port = source.charAt(name) === ':' ? source.runEnd(name + 1, isDigit) : name;
  const end = port > name + 1 ? port : name;
  return end > from && /^[^\x21-\x7e]$/.test(source.charAt(end)) ? end : source.runEnd(from, inHost);
}

/** Without the punctuation of the sentence around it, and without a bracket that it did not open. */
function withoutTail(found: string): string {
  let end = found.length;
  let unopened = count(found, ')') - count(found, '(');
  for (;;) {
    const last = found.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!/^[.,;:!?*_~°']$/.test(last)) return found.slice(0, end);
    end -= 1;
  }
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}
