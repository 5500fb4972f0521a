import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** 256 bits, encoded for a cookie. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

export function seal(token: string, secret: string): Uint8Array {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, keyOf(token), iv, { authTagLength: tagLength });
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

export function unseal(token: string, sealed: Uint8Array): string {
  const iv = sealed.subarray(0, ivLength);
  const tag = sealed.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv(algorithm, keyOf(token), iv, { authTagLength: tagLength }).setAuthTag(tag);
  return decipher.update(sealed.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
}

/** Differs from the hash, so that the hash in the database opens nothing. */
function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'engawa session: authorization at the chat server', 32));
}
