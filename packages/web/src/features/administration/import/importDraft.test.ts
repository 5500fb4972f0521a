import { describe, expect, it } from 'vitest';
import {
  addressOfCsv,
  draftOf,
  faultsIn,
  isWithoutHeader,
  tableOf,
  withAllBack,
  withCell,
  withColumn,
  without,
} from './importDraft.ts';

const table = {
  header: ['氏名', 'メール'],
  rows: [
    ['田中 翔', 'a'],
    ['', 'b@x.jp'],
    ['佐藤', 'c@x.jp', '余り'],
  ],
};
const draft = draftOf(table);
const fault = (
  row: number | null,
  column: string | null,
  what: 'email-malformed' | 'name-missing' | 'cells-too-many' | 'column-twice',
) => ({
  row,
  column,
  fault: what,
  value: '',
});

describe('the draft of an import', () => {
  it('[I7.3] draftOf numbers the rows of an imported file as a spreadsheet does, and tableOf returns the table unchanged', () => {
    expect(draft.rows.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(tableOf(draft)).toEqual(table);
  });

  it('[I7.3] withCell and withColumn return a corrected draft of the import and leave the given draft unchanged', () => {
    const mended = withColumn(withCell(draft, 2, 1, 'a@x.jp'), 0, '名前');
    expect(tableOf(mended)).toEqual({ header: ['名前', 'メール'], rows: [['田中 翔', 'a@x.jp'], ...table.rows.slice(1)] });
    expect(tableOf(draft)).toEqual(table);
  });

  it('[I7.3] A removed row is left out of the import, and withAllBack restores it in its old position', () => {
    const fewer = without(without(draft, 3), 2);
    expect(tableOf(fewer).rows).toEqual([table.rows[2]]);
    expect(fewer.rows[0]?.line).toBe(4);
    expect(withAllBack(fewer)).toEqual(draft);
  });

  it('[I7.3] Each fault of an imported file stays at its row after other rows were removed', () => {
    const fewer = without(draft, 2);
    const faults = [fault(0, '氏名', 'name-missing'), fault(1, null, 'cells-too-many'), fault(1, '社員番号', 'email-malformed')];
    expect(faultsIn(fewer, { faults })).toEqual({
      header: [],
      rows: [
        { line: 3, cells: [{ column: 0, fault: 'name-missing' }], others: [] },
        { line: 4, cells: [{ column: 2, fault: 'cells-too-many' }], others: ['email-malformed'] },
      ],
    });
  });

  it('[I7.3] The first row of an imported file without a header has the number 1', () => {
    const nameless = draftOf({
      header: ['', ''],
      rows: [
        ['髙橋 浩一', 'a@x.jp'],
        ['次田 葉', 'b@x.jp'],
      ],
    });
    expect(nameless.rows.map(({ line }) => line)).toEqual([1, 2]);
    expect([isWithoutHeader(withColumn(without(nameless, 1), 0, '氏名')), isWithoutHeader(draft)]).toEqual([true, false]);
    expect(tableOf(withColumn(nameless, 0, '氏名'))).toMatchObject({ header: ['氏名', ''], rows: [['髙橋 浩一', 'a@x.jp'], {}] });
  });

  it('[I7.3] If two columns of an imported file have the same name, the second one has the fault', () => {
    const twice = draftOf({ header: ['氏名', '氏名'], rows: [] });
    expect(faultsIn(twice, { faults: [fault(null, '氏名', 'column-twice')] }).header).toEqual([
      { column: 1, fault: 'column-twice' },
    ]);
  });

  it('[I7.3] The sample CSV begins with a byte order mark, so spreadsheets read it as UTF-8', async () => {
    const bytes = new Uint8Array(
      await (
        await fetch(
          addressOfCsv([
            ['氏名', '部署'],
            ['髙橋', 'a'],
          ]),
        )
      ).arrayBuffer(),
    );
    expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toBe('氏名,部署\r\n髙橋,a\r\n');
  });
});
