import { fullNameLength } from '@engawa/protocol';
import { refused } from '../errors.ts';

/** Characters that would end or change a mention of the member (`@**name|id**`), and characters that show nothing. */
const misleading = /[*`\\>"@\p{C}\p{DI}\u2800]|\|\d+$/u;
/** Variation selectors after kanji (葛󠄀) and emoji, which they change visibly. */
const selectors = /(?<=[\p{Ideo}\p{Emoji}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Trims the name. The limits count code points. */
export function cleanFullName(name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length > fullNameLength.most) throw refused.because('Name too long!');
  if (length < fullNameLength.least) throw refused.because('Name too short!');
  if (misleading.test(trimmed.replace(selectors, ''))) throw refused.because('Invalid characters in name!');
  return trimmed;
}
