import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordLength } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { Turnstile } from './turnstile.ts';

const derive = promisify(argon2);

/** The cost of one argon2id hash. `memory` is in KiB. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's minimum for argon2id: 19 MiB and two passes. One hash takes about 30 ms. */
export const usualPasswordCost: PasswordCost = { memory: 19_456, passes: 2 };

/** Shared by the process, because each hash takes memory and a thread of the pool that serves files. 128 wait two seconds. */
const turnstile = new Turnstile({ atOnce: 2, waiting: 128 }, refused.tooBusy);

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

const parallelism = 1;
const tagLength = 32;

async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const nonce = randomBytes(16);
  const message = password.normalize('NFKC');
  const tag = await turnstile.pass(() => derive('argon2id', { ...cost, parallelism, tagLength, message, nonce }));
  return phcOf(cost, nonce, tag);
}

const phcOf = ({ memory, passes }: PasswordCost, nonce: Uint8Array, tag: Uint8Array): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;

async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, expected] = phc.exec(hash) ?? [];
  if (!nonce || !expected) return false;
  const tag = Buffer.from(expected, 'base64');
  const actual = await turnstile.pass(() =>
    derive('argon2id', {
      message: password.normalize('NFKC'),
      nonce: Buffer.from(nonce, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: tag.length,
    }),
  );
  return timingSafeEqual(tag, actual);
}

export class Passwords {
  readonly #cost: PasswordCost;
  /**
   * Compared when the user is unknown, so that the time of the answer does not reveal whether a user exists. Random
   * bytes replace a computed hash, because the allocator would keep the memory of that computation (19 MB) while the process runs.
   */
  readonly #dummy: string;

  constructor(cost: PasswordCost) {
    this.#cost = cost;
    this.#dummy = phcOf(cost, randomBytes(16), randomBytes(tagLength));
  }

  /** @returns the hash as a PHC string. @throws ChatError 503 if too many passwords wait to be hashed. */
  hash(password: string): Promise<string> {
    return hashPassword(password, this.#cost);
  }

  /** Takes equally long for a missing user or password. @throws ChatError 503 if too many passwords wait to be hashed. */
  async isOf(user: { readonly password: string } | undefined, password: string): Promise<boolean> {
    const hash = user?.password;
    if (hash) return verifyPassword(password, hash);
    await verifyPassword(password, this.#dummy);
    return false;
  }
}

/** These common passwords are refused: https://en.wikipedia.org/wiki/List_of_the_most_common_passwords */
const common = new Set(
  `
  12345678 123456789 1234567890 87654321 11223344 12341234 12344321 123123123 147258369 password
  password1 password12 password123 passw0rd p@ssword p@ssw0rd qwertyui qwerty12 qwerty123 qwertyuiop
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 asdfghjk asdfasdf zxcvbnm1 abcd1234 abc12345
  a1234567 a12345678 1234abcd iloveyou sunshine princess football baseball superman trustno1 computer
  internet whatever welcome1 letmein1 changeme changeit administrator admin123 admin1234 sakura123
  nippon123 engawa123 himitsu1
  `
    .trim()
    .split(/\s+/),
);

export function isWeakPassword(password: string, { email, full_name }: { email: string; full_name: string }): boolean {
  const compared = password.normalize('NFKC').toLowerCase();
  const characters = [...compared];
  if (characters.length < passwordLength.least || new Set(characters).size < 3) return true;
  const [local = ''] = email.toLowerCase().split('@', 1);
  const own = [email, local, full_name, full_name.replaceAll(/\s/g, '')];
  return common.has(compared) || own.some((each) => each.normalize('NFKC').toLowerCase() === compared);
}
