import { expect, it } from 'vitest';
import { uploadPath } from './uploads.ts';

const storedName = (extension: string): string => `abcdefghijklmnopqrst${extension}`;

it.each([
  ['見積書 改2.pdf', '.pdf', '見積書-改2.pdf'],
  ['ﾊﾝｶｸ（①）.PDF', '.PDF', 'ハンカク1.PDF'],
  ['a b\u3000c.tar.gz', '.gz', 'a-b-c.tar.gz'],
  ['[x](y)<z>"`*.txt', '.txt', 'xyz.txt'],
  ['😀.png', '.png', 'file.png'],
  ['../..', '', '....'],
  [`${'長'.repeat(200)}.xlsx`, '.xlsx', `${'長'.repeat(60)}.xlsx`],
])('The path of the file %j needs no escape in a message and ends like its name', (name, extension, end) => {
  expect(uploadPath({ stored_name: storedName(extension), name })).toBe(`1/ab/cdefghijklmnopqrst/${end}`);
});
