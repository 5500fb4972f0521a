import { expect, it } from 'vitest';
import { nameInPath } from './nameInPath.ts';

it.each([
  ['見積書 改2.pdf', '見積書-改2.pdf'],
  ['ﾊﾝｶｸ（①）.PDF', 'ハンカク1.PDF'],
  ['a b\u3000c.tar.gz', 'a-b-c.tar.gz'],
  ['[x](y)<z>"`*.txt', 'xyz.txt'],
  ['😀.png', 'file.png'],
  ['../..', 'file'],
  ['..', 'file'],
  [`${'長'.repeat(200)}.xlsx`, `${'長'.repeat(60)}.xlsx`],
])('The file %j has the name %s in a path, which needs no escape in a message', (name, inPath) => {
  expect(nameInPath(name)).toBe(inPath);
});
