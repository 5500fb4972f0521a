import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** Crockford's base 32 has no characters that are easily confused. https://www.crockford.com/base32.html */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 4;
const groupLength = 4;

/** A random code of 80 bits, of which the process holds only the hash. */
export class SetupCode {
  readonly #hash: Buffer;

  constructor(code: string) {
    this.#hash = hashOf(code);
  }

  /** Compares without case, full or half width, and hyphens. */
  is(given: string): boolean {
    return timingSafeEqual(this.#hash, hashOf(given));
  }
}

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
