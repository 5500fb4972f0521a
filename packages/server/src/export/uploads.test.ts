import { expect, it } from 'vitest';
import { uploadPath } from './uploads.ts';

it.each([
  ['見積書 改2.pdf', '見積書-改2.pdf'],
  ['..', 'file'],
])('The export has the file %j in a folder of its own, under the name %s', (name, inPath) => {
  expect(uploadPath({ stored_name: 'abcdefghijklmnopqrst.pdf', name })).toBe(`1/ab/cdefghijklmnopqrst/${inPath}`);
});
