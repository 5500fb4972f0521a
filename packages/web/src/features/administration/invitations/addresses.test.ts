import { expect, it } from 'vitest';
import { addressesIn } from './addresses.ts';

it.each([
  ['lines', 'sato@niwa.example\r\n\n ito@niwa.example '],
  ['commas of both languages', 'sato@niwa.example、ito@niwa.example,'],
  ['blanks', 'sato@niwa.example ito@niwa.example'],
  ['names of a mail program', '佐藤 花子 <sato@niwa.example>; "伊藤" <ito@niwa.example>'],
  ['names of a table', '佐藤 花子\tsato@niwa.example\n伊藤\tito@niwa.example'],
  ['full-width letters', 'ｓａｔｏ＠ｎｉｗａ．ｅｘａｍｐｌｅ\nito@niwa.example'],
  ['repetitions', 'SATO@niwa.example\nito@niwa.example\nsato@niwa.example'],
])('A pasted list with %s contains each address once', (_, text) => {
  expect(addressesIn(text)).toEqual({ emails: ['sato@niwa.example', 'ito@niwa.example'], malformed: [] });
});

it('The list names a pasted line without a valid address and still reads the others', () => {
  const text = '佐藤 花子\nito@niwa.example\nsato@niwa\nito@niwa.example';
  expect(addressesIn(text)).toEqual({ emails: ['ito@niwa.example'], malformed: ['佐藤 花子', 'sato@niwa'] });
});
