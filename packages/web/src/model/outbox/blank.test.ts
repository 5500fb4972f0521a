import { expect, it } from 'vitest';
import { isBlank } from './blank.ts';

it.each([
  ['an empty text', ''],
  ['blanks of all widths', ' \u3000\u00a0\n\t'],
  ['invisible characters', '\u3000\u200b\u2060\u00ad\ufeff'],
])('[R4.7.1] A text is blank: %s', (_, text) => expect(isBlank(text)).toBe(true));

it.each(['。', '0', '👩‍💻', '\u200ea'])('[R4.7.1] A text is not blank: %s', (text) => expect(isBlank(text)).toBe(false));
