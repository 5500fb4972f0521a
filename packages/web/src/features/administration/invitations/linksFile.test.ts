import { expect, it } from 'vitest';
import { csvFile } from './linksFile.ts';

it('[I7.3] The CSV file of password links begins with a byte order mark and escapes formulas in names', async () => {
  const file = csvFile([
    ['氏名', 'リンク'],
    ['=HYPERLINK("x")', 'https://engawa.example/#/password/a'],
    ['浜田, 愛', '-1'],
    ['＝1', '＠2'],
  ]);
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toBe(
    `氏名,リンク\r\n"'=HYPERLINK(""x"")",https://engawa.example/#/password/a\r\n"浜田, 愛",'-1\r\n'＝1,'＠2\r\n`,
  );
});
