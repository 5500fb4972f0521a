import { isEmailAddress } from '@engawa/chat-server';
import { type ImportTable, maxImportRows } from '@engawa/protocol/administration';
import { refused } from '../http/errors.ts';
import { columnsOf } from './columns.ts';
import { recordsOf } from './csv.ts';
import { decodeFile, type Encoding } from './encoding.ts';
import { inTurns } from './turns.ts';

export type Table = Pick<ImportTable, 'header' | 'rows'>;

/** More columns make no person: it is no table of people. */
const mostColumns = 200;

/**
 * The table in a spreadsheet's text: its first line that says something is the header, unless it is somebody. Empty lines and columns at its
 * end are none of it; a row is as long as the header, or longer where it says more.
 * @throws RefusedError when it is no text, has no header, or has too many rows.
 */
export async function readTable(bytes: Uint8Array, chosen?: Encoding): Promise<ImportTable> {
  const { encoding, text } = decodeFile(bytes, chosen);
  return { encoding, ...(await inTurns(tableOf(text))) };
}

/** Excel's own line that names the separator. */
const separatorLine = /^sep=([,;\t])(?:\r\n|\n|\r)/;

export function* tableOf(text: string): Generator<undefined, Table> {
  const [line = '', separator] = separatorLine.exec(text) ?? [];
  const records: string[][] = [];
  for (const fields of recordsOf(text.slice(line.length), separator)) {
    const cells = fields.map(cellOf);
    const last = cells.findLastIndex((cell) => cell !== '') + 1;
    if (last > mostColumns) throw refused.fileNotReadable();
    if (last > 0 || records.length > 0) records.push(filledUp(cells.slice(0, last), records[0]?.length ?? 0));
    // Empty lines at the end may be many: a spreadsheet writes those that were once touched.
    if (records.length > 2 * maxImportRows) throw refused.tooManyRows(maxImportRows);
    yield;
  }
  const rows = records.slice(0, records.findLastIndex((cells) => cells.some((cell) => cell !== '')) + 1);
  const [first] = rows;
  if (!first) throw refused.fileNotReadable();
  const header = isPerson(first) ? namelessFor(rows) : first;
  if (header === first) rows.shift();
  if (rows.length > maxImportRows) throw refused.tooManyRows(maxImportRows);
  return { header, rows };
}

/** Whoever forgot to name the columns has a person in the first line, who is not to be lost for the names. */
function isPerson(cells: readonly string[]): boolean {
  const { at, levels } = columnsOf(cells);
  return at.size + levels.length === 0 && cells.some((cell) => isEmailAddress(cell.normalize('NFKC').trim()));
}

/** A header in which no column has a name yet. */
function namelessFor(rows: string[][]): string[] {
  const length = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  for (const cells of rows) filledUp(cells, length);
  return Array.from({ length }, () => '');
}

function filledUp(cells: string[], length: number): string[] {
  while (cells.length < length) cells.push('');
  return cells;
}

/** `="0012"` is how Excel is kept from taking a number for one, `'=…` how a sheet is kept from taking text for a formula. */
function cellOf(field: string): string {
  const text = field.trim();
  const [, kept] = /^="([^"]*)"$/.exec(text) ?? [];
  return kept ?? text.replace(/^'(?=[=+\-@])/, '');
}
