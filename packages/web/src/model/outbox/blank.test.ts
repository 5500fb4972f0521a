import { expect, it } from 'vitest';
import { isBlank } from './blank.ts';

it.each([
  ['nothing', ''],
  ['blanks of all widths', ' \u3000\u00a0\n\t'],
  ['what has no width', '\u3000\u200b\u2060\u00ad\ufeff'],
])('[R4.7.1] %s is blank', (_, text) => expect(isBlank(text)).toBe(true));

it.each(['。', '0', '👩‍💻', '\u200ea'])('[R4.7.1] %s is not blank', (text) => expect(isBlank(text)).toBe(false));
