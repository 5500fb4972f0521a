import { fullNameLength } from '@engawa/protocol';
import { refused } from '../errors.ts';

/** Characters that would end or change a mention of the member (`@**name|id**`), and invisible characters. */
const misleading = /[*`\\>"@\p{C}]|\|\d+$/u;

/** Trims the name. The limits count code points. */
export function cleanFullName(name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length > fullNameLength.most) throw refused.because('Name too long!');
  if (length < fullNameLength.least) throw refused.because('Name too short!');
  if (misleading.test(trimmed)) throw refused.because('Invalid characters in name!');
  return trimmed;
}
