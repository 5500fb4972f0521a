import { atOnce } from '@engawa/chat-server/parts';
import { importEncodings, importLines, maxImportRows } from '@engawa/protocol/administration';
import { describe, expect, it } from 'vitest';
import { encoded, isInShiftJis, shiftJis } from '../testing/encodings.ts';
import { writeCsv } from './csv.ts';
import { readTable, sentTable } from './table.ts';

const utf8 = (text: string) => encoded(text, 'utf-8');
const namesOf = (count: number) => utf8(`氏名\n${'田中\n'.repeat(count)}\n\n`);
const rowsOf = async (text: string) => (await readTable(utf8(text))).rows;

describe('table of people and departments', () => {
  it('[I7.3] A table that is sent to the server is read in a step for each line', () => {
    const table = {
      header: ['氏名', '部署'],
      rows: [
        ['髙橋\n①郎', '"第一課"'],
        ['', '𠮷野家'],
      ],
    };
    const bytes = Buffer.from(importLines(table));
    expect([...sentTable(bytes)]).toHaveLength(3);
    expect(atOnce(sentTable(bytes))).toEqual(table);
  });

  it('[I7.3] An import reads 0012 with its zeros, and the kanji variant 髙, from a file in Shift_JIS', async () => {
    const file = '社員番号,氏名,部署\r\n0012,髙橋 ①郎,営業本部／第一課\r\n';
    expect(await readTable(shiftJis(file))).toEqual({
      encoding: 'shift_jis',
      header: ['社員番号', '氏名', '部署'],
      rows: [['0012', '髙橋 ①郎', '営業本部／第一課']],
    });
  });

  it.each([
    ['UTF-8 with a byte order mark', encoded('氏名\n髙橋', 'utf-8', true), 'utf-8'],
    ['UTF-8 without a byte order mark', encoded('氏名\n髙橋', 'utf-8'), 'utf-8'],
    ['ASCII', encoded('name\nTaro', 'utf-8'), 'utf-8'],
    ['Shift_JIS', encoded('氏名\n髙橋', 'shift_jis'), 'shift_jis'],
    ['half-width kana in Shift_JIS', encoded('ｼﾒｲ\nﾀｶﾊｼ', 'shift_jis'), 'shift_jis'],
    ["Excel's Unicode text", encoded('氏名\n髙橋', 'utf-16le', true), 'utf-16le'],
  ])('[I7.3] The import detects the encoding of a file: %s', async (_, bytes, encoding) => {
    expect(await readTable(bytes)).toMatchObject({ encoding });
  });

  it('[I7.3] An import decodes a file in the encoding that the member chooses', async () => {
    expect((await readTable(encoded('氏名\n髙橋', 'utf-8'), 'shift_jis')).rows).not.toEqual([['髙橋']]);
    expect((await readTable(encoded('氏名\n髙橋', 'utf-8'), 'utf-8')).rows).toEqual([['髙橋']]);
  });

  it('[I7.3] An import shows U+FFFD for an unreadable character, and reads all other characters of the file', async () => {
    const [header, name] = [shiftJis('氏名,部署\r\n'), shiftJis('田中')];
    const file = Uint8Array.from([...header, ...name, 0x81, 0x22, 0x2c, ...name, 0x0d, 0x0a, ...name]);
    expect((await readTable(file)).rows).toEqual([
      ['田中\uFFFD"', '田中'],
      ['田中', ''],
    ]);
  });

  it('[I7.3] An import of a file without a header reads its first line as data and leaves the column names empty', async () => {
    expect(
      await readTable(shiftJis('髙橋 浩一,ｔａｋａｈａｓｈｉ＠x.jp,営業部\r\n次田 葉,tsugita@x.jp,総務部,課長\r\n')),
    ).toMatchObject({
      header: ['', '', '', ''],
      rows: [
        ['髙橋 浩一', 'ｔａｋａｈａｓｈｉ＠x.jp', '営業部', ''],
        ['次田 葉', 'tsugita@x.jp', '総務部', '課長'],
      ],
    });
    expect(await readTable(utf8('氏名,お問い合わせ soumu@x.jp\n髙橋,a@x.jp'))).toMatchObject({
      header: ['氏名', 'お問い合わせ soumu@x.jp'],
    });
    expect(await readTable(utf8('氏名,soumu@x.jp\n髙橋,a@x.jp'))).toMatchObject({ header: ['氏名', 'soumu@x.jp'] });
  });

  it('[I7.3] An import refuses a workbook and an empty file as unreadable', async () => {
    const refusal = { code: 'FILE_NOT_READABLE' };
    await expect(readTable(Uint8Array.from([0x50, 0x4b, 3, 4, 0x14, 0, 0, 0, 8, 0]))).rejects.toMatchObject(refusal);
    await expect(readTable(utf8(''))).rejects.toMatchObject(refusal);
    await expect(readTable(utf8('\r\n,,,\r\n'))).rejects.toMatchObject(refusal);
  });

  it('[I7.3] An import accepts 20,000 rows, and refuses a file with more', async () => {
    expect((await readTable(namesOf(maxImportRows))).rows).toHaveLength(maxImportRows);
    await expect(readTable(namesOf(maxImportRows + 1))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([
    ['quotes, and quotes in quotes', 'a,b\n"x, ""y""",z\n', [['x, "y"', 'z']]],
    ['line breaks in quotes', 'a,b\r\n"一行目\r\n二行目",z\r\n', [['一行目\r\n二行目', 'z']]],
    [
      'CR line ends',
      'a,b\rx,y\rz,w',
      [
        ['x', 'y'],
        ['z', 'w'],
      ],
    ],
    ['semicolons', 'a;b\nx,1;y', [['x,1', 'y']]],
    ['tabs', 'a\tb\nx,1\ty;2', [['x,1', 'y;2']]],
    ["Excel's line about the separator", 'sep=;\na;b\nx;y', [['x', 'y']]],
    ['a comma in a quoted name of a column', '"a,b,c";d\nx;y', [['x', 'y']]],
    ["Excel's way to keep zeros", 'a,b\n="0012","=""0034"""', [['0012', '0034']]],
    ['escaped formulas', "a,b\n'=SUM(A1),'+81", [['=SUM(A1)', '+81']]],
    ['escaped full-width formulas', "a,b\n'＝SUM(A1),'＠a", [['＝SUM(A1)', '＠a']]],
    ['empty columns and lines at the end', 'a,b,,\nx,y,,\n,,,\n,,,\n', [['x', 'y']]],
    [
      'an empty line in between, so that rows keep their numbers',
      'a,b\n\nx,y',
      [
        ['', ''],
        ['x', 'y'],
      ],
    ],
    ['a row shorter than the header', 'a,b,c\nx', [['x', '', '']]],
    ['a longer row', 'a\nx,y', [['x', 'y']]],
    [
      'an unclosed quote',
      'a,b\n"x,y\nz,5""\n',
      [
        ['"x', 'y'],
        ['z', '5""'],
      ],
    ],
    ['surrounding space', 'a, b\n x ,　y　', [['x', 'y']]],
  ])('[I7.3] The import reads a file as spreadsheet programs write it: %s', async (_, text, rows) => {
    expect(await rowsOf(text)).toEqual(rows);
  });

  it('[I7.3] The import reads back random tables exactly as the export wrote them, in each encoding', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomFrom(seed);
      const [header, ...rows] = someTable(random);
      for (const encoding of importEncodings) {
        const separator = [',', ';', '\t'][random(3)] ?? ',';
        const text = writeCsv([header ?? [], ...rows], { separator, lineEnd: ['\r\n', '\n', '\r'][random(3)] ?? '\n' });
        const table = await readTable(encoded(text, encoding, encoding === 'utf-16le' || random(2) === 0));
        expect(table, `seed ${seed}, ${encoding}`).toEqual({ encoding, header, rows });
      }
    }
  });
});

/** Mulberry32: integers below `most`, the same for the same seed. */
function randomFrom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

const characters = [...'髙橋﨑①㈱ｱｶﾞーソ表能―～,;\t"\n =+-@\'a0Ω―ヴ'].filter(isInShiftJis);

/** Its edges are never empty, because empty edges are trimmed. */
function someTable(random: (most: number) => number): string[][] {
  const width = 2 + random(4);
  const cell = () => `漢${Array.from({ length: random(6) }, () => characters[random(characters.length)]).join('')}字`;
  const header = Array.from({ length: width }, (_, index) => `列${index}`);
  const row = () => Array.from({ length: width }, (_, index) => (index < width - 1 && random(4) === 0 ? '' : cell()));
  return [header, ...Array.from({ length: 1 + random(6) }, row)];
}
