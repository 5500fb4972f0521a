import { type Steps, inTurns, isEmailAddress } from '@engawa/chat-server/parts';
import { importLine, type ImportTable, maxImportRows } from '@engawa/protocol/administration';
import { refused } from '../http/errors.ts';
import { parse } from '../http/parameters.ts';
import { columnsOf } from './columns.ts';
import { formula, recordsOf } from './csv.ts';
import { decodeFile, type Encoding } from './encoding.ts';

export type Table = Pick<ImportTable, 'header' | 'rows'>;

/** A table with more columns is not a list of people. */
const mostColumns = 200;

/**
 * The header is the first line with text, unless that line is a person. Rows are padded. @throws RefusedError without a table.
 */
export async function readTable(bytes: Uint8Array, chosen?: Encoding): Promise<ImportTable> {
  const { encoding, text } = decodeFile(bytes, chosen);
  return { encoding, ...(await inTurns(tableOf(text))) };
}

/** Excel's line that names the separator. */
const separatorLine = /^sep=([,;\t])(?:\r\n|\n|\r)/;

export function* tableOf(text: string): Steps<Table> {
  const [line = '', separator] = separatorLine.exec(text) ?? [];
  const records: string[][] = [];
  for (const fields of recordsOf(text.slice(line.length), separator)) {
    const cells = fields.map(cellOf);
    const last = cells.findLastIndex((cell) => cell !== '') + 1;
    if (last > mostColumns) throw refused.fileNotReadable();
    if (last > 0 || records.length > 0) records.push(filledUp(cells.slice(0, last), records[0]?.length ?? 0));
    // Spreadsheets may write many empty lines at the end.
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

/** Reads what `importLines` has written. A step for each line. @throws RefusedError for other bytes. */
export function* sentTable(bytes: Uint8Array): Steps<Table> {
  const lines: string[][] = [];
  for (let start = 0; start < bytes.byteLength;) {
    const next = bytes.indexOf(lineFeed, start);
    const end = next === -1 ? bytes.byteLength : next;
    if (end - start > mostBytesPerLine) throw refused.bodyMalformed('a line is too long');
    lines.push(parse(importLine, jsonOf(bytes.subarray(start, end))));
    if (lines.length > maxImportRows + 1) throw refused.tooManyRows(maxImportRows);
    start = end + 1;
    yield;
  }
  const [header, ...rows] = lines;
  if (!header) throw refused.bodyMalformed('no header');
  return { header, rows };
}

const lineFeed = 0x0a;
const mostBytesPerLine = 1_000_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw refused.bodyMalformed(error);
  }
}

function isPerson(cells: readonly string[]): boolean {
  const { at, levels } = columnsOf(cells);
  return at.size + levels.length === 0 && cells.some((cell) => isEmailAddress(cell.normalize('NFKC').trim()));
}

function namelessFor(rows: string[][]): string[] {
  const length = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  for (const cells of rows) filledUp(cells, length);
  return Array.from({ length }, () => '');
}

function filledUp(cells: string[], length: number): string[] {
  while (cells.length < length) cells.push('');
  return cells;
}

/** Removes Excel's marks for texts: `="0012"` is no number, and `'=…` is no formula. */
function cellOf(field: string): string {
  const text = field.trim();
  const [, kept] = /^="([^"]*)"$/.exec(text) ?? [];
  if (kept !== undefined) return kept;
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
