import { expect, it } from 'vitest';
import { ja } from '../../i18n/administration.ja.ts';
import { nameComplaint } from './nameComplaint.ts';

it('A name of blanks is missing, and a name is too long by its characters, not by its code units', () => {
  const complaints = ['', ' \u3000', '𠮷𠮷', ' 雑談 ', '雑談室'].map((typed) => nameComplaint(typed, 2, ja));
  expect(complaints).toEqual([ja.missing, ja.missing, undefined, undefined, ja.tooLong(2)]);
});
