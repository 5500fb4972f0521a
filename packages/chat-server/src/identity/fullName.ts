import { fullNameLength } from '@engawa/protocol';
import { refused } from '../errors.ts';

/** What stands for something else in the text that mentions a user (`@**name|id**`), and what nobody sees. */
const misleading = /[*`\\>"@\p{C}]|\|\d+$/u;

/** A full name as it is kept: without space around it. Its length counts characters (code points). */
export function cleanFullName(name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length > fullNameLength.most) throw refused.because('Name too long!');
  if (length < fullNameLength.least) throw refused.because('Name too short!');
  if (misleading.test(trimmed)) throw refused.because('Invalid characters in name!');
  return trimmed;
}
