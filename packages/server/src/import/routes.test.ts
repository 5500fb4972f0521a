import {
  administrationPaths as paths,
  importLines,
  importResult,
  importPreview,
  importTable,
  maxImportBytes,
  maxImportRows,
} from '@engawa/protocol/administration';
import { departmentTree, paths as productPaths } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { shiftJis } from '../testing/encodings.ts';
import { fromOwnPage, runProductForFile } from '../testing/product.ts';

const product = await runProductForFile();
const host = 'localhost';
const administrator = 'takahashi.koichi';

async function call(name: string, url: string, payload: Uint8Array | string) {
  const headers = { host, ...fromOwnPage, 'content-type': 'application/octet-stream', cookie: await product.cookieOf(name) };
  return product.app.inject({ method: 'POST', url, headers, payload: Buffer.from(payload) });
}
const previewOf = (table: Parameters<typeof importLines>[0]) => call(administrator, paths.importPreview, importLines(table));
const readAs = (encoding: string) => call(administrator, `${paths.importRead}?encoding=${encoding}`, '名前\n髙橋');
const exportFor = async (name: string) =>
  product.app.inject({ url: paths.export, headers: { host, cookie: await product.cookieOf(name) } });
const treeOf = async () => {
  const answer = await product.app.inject({
    url: productPaths.departmentTree,
    headers: { host, cookie: await product.cookieOf('tanaka') },
  });
  return JSON.stringify(departmentTree.parse(answer.json()));
};

describe('import calls', () => {
  it('[I7.3] An administrator can read, preview and apply an import file by the calls of the import', async () => {
    const bytes = shiftJis('社員番号,氏名,メール,部署\r\n0099,髙野 唯,takano@engawa.example,営業本部/海外営業部\r\n');
    const { encoding, ...table } = importTable.parse((await call(administrator, paths.importRead, bytes)).json());
    expect(encoding).toBe('shift_jis');
    const { fingerprint, difference } = importPreview.parse((await previewOf(table)).json());
    expect(difference?.departments.made).toEqual(['海外営業部']);
    expect(await treeOf()).not.toContain('海外営業部');
    const apply = () => call(administrator, `${paths.importApply}?fingerprint=${fingerprint}`, importLines(table));
    const applied = await apply();
    expect(importResult.parse(applied.json()).without_password).toEqual([]);
    expect(await treeOf()).toContain('海外営業部');
    expect((await apply()).json()).toMatchObject({
      code: 'ORGANISATION_CHANGED',
    });
  });

  it('[I7.3] The call that reads an import file decodes it in the chosen encoding', async () => {
    expect(importTable.parse((await readAs('shift_jis')).json()).encoding).toBe('shift_jis');
    expect((await readAs('klingon')).statusCode).toBe(400);
  });

  it('[I7.3] The call that previews an import reports a cell that is too large, and does not refuse the whole file', async () => {
    const table = { header: ['氏名', 'メール'], rows: [['長'.repeat(100_000), 'naga@engawa.example']] };
    const answer = await previewOf(table);
    expect(importPreview.parse(answer.json())).toMatchObject({
      fault_count: 1,
      faults: [{ row: 0, column: '氏名', fault: 'text-too-long' }],
    });
  });

  it('[I7.5] The import calls refuse other members and too large bodies without reading the body', async () => {
    const large = new Uint8Array(maxImportBytes + 1);
    for (const path of [paths.importRead, paths.importPreview, paths.importApply]) {
      expect((await call('tanaka', path, large)).statusCode, path).toBe(403);
      expect((await product.app.inject({ method: 'POST', url: path, headers: { host, ...fromOwnPage } })).statusCode, path).toBe(
        401,
      );
    }
    const answer = await call(administrator, paths.importRead, large);
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await call(administrator, paths.importRead, Uint8Array.from([0x50, 0x4b, 3, 4, 0]))).json()).toMatchObject({
      code: 'FILE_NOT_READABLE',
    });
  });

  it.each([
    ['no line', ''],
    ['no JSON', '氏名'],
    ['no list of texts', '["氏名"]\n[1]'],
    ['an empty line', '["氏名"]\n\n["髙橋"]'],
    ['a line of too many cells', JSON.stringify(Array.from({ length: 201 }, () => ''))],
    ['one JSON text of all rows', '[["氏名"],["髙橋"]]'],
    ['text in another encoding', shiftJis('["氏名"]')],
    ['a line of more than 1 MB', JSON.stringify(['氏'.repeat(400_000)])],
  ])('[I7.5] The calls that preview and apply an import refuse a table with %s as malformed', async (_, lines) => {
    for (const path of [paths.importPreview, `${paths.importApply}?fingerprint=x`])
      expect((await call(administrator, path, lines)).json(), path).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('[I7.5] The call that applies an import refuses a request without the fingerprint of a preview', async () => {
    const answer = await call(administrator, paths.importApply, importLines({ header: ['氏名'], rows: [] }));
    expect(answer.json()).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('[I7.3] The call that previews an import refuses a table with too many rows, and says how many are allowed', async () => {
    const table = { header: ['氏名'], rows: Array.from({ length: maxImportRows + 1 }, () => ['']) };
    expect((await previewOf(table)).json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', msg: expect.stringContaining('20000') });
    expect((await previewOf({ ...table, rows: table.rows.slice(1) })).statusCode).toBe(200);
  });

  it('[I7.3] Administrators can export the people and departments as a file', async () => {
    const answer = await exportFor(administrator);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="engawa-members.csv"',
      'x-content-type-options': 'nosniff',
    });
    const table = importTable.parse((await call(administrator, paths.importRead, answer.rawPayload)).json());
    const { difference, faults } = importPreview.parse((await previewOf(table)).json());
    expect(faults).toEqual([]);
    expect(difference).toMatchObject({ departments: { made: [] }, members: { made: [], changed: [] }, leaves: [] });
    expect((await exportFor('tanaka')).statusCode).toBe(403);
  });
});
