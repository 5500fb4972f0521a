import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** Nothing in it is taken for something else when it is read from a screen and typed. https://www.crockford.com/base32.html */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 4;
const groupLength = 4;

/** The code that guards the founding of an organisation: 80 bits. Only its hash stays in memory. */
export class SetupCode {
  readonly #hash: Buffer;

  constructor(code: string) {
    this.#hash = hashOf(code);
  }

  /** However it was typed: in small letters, full width, or without its hyphens. */
  is(given: string): boolean {
    return timingSafeEqual(this.#hash, hashOf(given));
  }
}

/** As it is shown: XXXX-XXXX-XXXX-XXXX. */
export function newSetupCode(): string {
  return Array.from({ length: groups }, newGroup).join('-');
}

function newGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function hashOf(code: string): Buffer {
  const meant = code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return createHash('sha256').update(meant).digest();
}
