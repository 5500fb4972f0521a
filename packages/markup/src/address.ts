import { type CharacterTest, type Source, isWordCharacter } from './source.ts';

/** The address if it is http, https, mailto, or a path of the realm; undefined for `javascript:`, `//elsewhere` and others. */
export function safeHref(text: string): string | undefined {
  if (/[\s\p{Cc}<>"\\]/u.test(text)) return undefined;
  if (/^https?:\/\//iu.test(text)) return URL.canParse(text) ? text : undefined;
  return /^mailto:[^:@]+@[^:@]+$/iu.test(text) || /^\/(?!\/)/.test(text) ? text : undefined;
}

/** An address ends at a space, or at Japanese brackets, quotation marks and punctuation. */
const inAddress: CharacterTest = (character) =>
  !/[\s<>"`、。，．・！？：；…‥「」『』（）【】〔〕［］｛｝〈〉《》“”‘’～]/u.test(character);

const inPlainHost: CharacterTest = (character) => /^[A-Za-z0-9.-]$/.test(character);
const inHost: CharacterTest = (character) => inAddress(character) && !/[/?#]/.test(character);
const isDigit: CharacterTest = (character) => /^[0-9]$/.test(character);
const isHiragana: CharacterTest = (character) => /^\p{sc=Hiragana}$/u.test(character);

/** `href` is undefined for text that only looks like an address. The caller skips it, so that each part is read only once. */
export function bareAddressAt(source: Source, at: number): { href: string | undefined; length: number } | undefined {
  if (isWordCharacter(source.charAt(at - 1))) return undefined;
  const scheme = ['http://', 'https://'].find((each) => source.slice(at, at + each.length).toLowerCase() === each);
  if (scheme === undefined) return undefined;
  const host = at + scheme.length;
  if (source.runEnd(host, inAddress) === host) return undefined;
  const href = trimTail(source.slice(at, addressEnd(source, host)));
  if (URL.canParse(href)) return { href, length: href.length };
  return { href: undefined, length: source.runEnd(host, inAddress) - at };
}

/**
 * The end of an address, where the sentence continues. Japanese has no space after an address: https://example.com/を見て.
 * Hiragana directly after an ASCII letter or digit, or after the first slash of the path, belongs to the sentence. Deeper in
 * the path it may begin a name, as in /wiki/のり, but no name begins with を. An ASCII host ends at the first other character.
 */
function addressEnd(source: Source, host: number): number {
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

/** Removes punctuation at the end, which belongs to the sentence, and closing brackets that the address did not open. */
function trimTail(address: string): string {
  let end = address.length;
  let unopened = count(address, ')') - count(address, '(');
  for (;;) {
    const last = address.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!/^[.,;:!?*_~°']$/.test(last)) return address.slice(0, end);
    end -= 1;
  }
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;
