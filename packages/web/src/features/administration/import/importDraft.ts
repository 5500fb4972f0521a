import type { ImportFault, ImportPreview } from '@engawa/protocol/administration';
import type { Table } from './importCalls.ts';

export interface DraftRow {
  /** The row number of the spreadsheet; a header is row 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Draft {
  readonly header: readonly string[];
  readonly rows: readonly DraftRow[];
  readonly leftOut: readonly DraftRow[];
}

export function draftOf({ header, rows }: Table): Draft {
  const first = header.every((name) => name === '') ? 1 : 2;
  return { header, rows: rows.map((cells, index) => ({ line: index + first, cells })), leftOut: [] };
}

/** Whether the file has no header, so that its first line is a row. */
export function isWithoutHeader({ rows, leftOut }: Draft): boolean {
  return [...rows, ...leftOut].some(({ line }) => line === 1);
}

export function tableOf({ header, rows }: Draft): Table {
  return { header: [...header], rows: rows.map(({ cells }) => [...cells]) };
}

const withAt = (cells: readonly string[], index: number, text: string) => cells.map((cell, at) => (at === index ? text : cell));

export function withCell(draft: Draft, line: number, column: number, text: string): Draft {
  const rows = draft.rows.map((row) => (row.line === line ? { ...row, cells: withAt(row.cells, column, text) } : row));
  return { ...draft, rows };
}

export function withColumn(draft: Draft, column: number, name: string): Draft {
  return { ...draft, header: withAt(draft.header, column, name) };
}

export function without(draft: Draft, line: number): Draft {
  const gone = draft.rows.filter((row) => row.line === line);
  return { ...draft, rows: draft.rows.filter((row) => row.line !== line), leftOut: [...draft.leftOut, ...gone] };
}

export function withAllBack(draft: Draft): Draft {
  const rows = [...draft.rows, ...draft.leftOut].toSorted((one, other) => one.line - other.line);
  return { ...draft, rows, leftOut: [] };
}

interface FaultyCell {
  readonly column: number;
  readonly fault: ImportFault['fault'];
}

export interface FaultyRow {
  readonly line: number;
  readonly cells: readonly FaultyCell[];
  /** Faults of the row that belong to no cell, because the file lacks the column. */
  readonly others: readonly ImportFault['fault'][];
}

export interface Faults {
  /** Faults of the column names. `column` is undefined if a column is missing. */
  readonly header: readonly { readonly column: number | undefined; readonly fault: ImportFault['fault'] }[];
  readonly rows: readonly FaultyRow[];
}

/** @param checked the draft that was checked. Faults refer to its row indices. */
export function faultsIn(checked: Draft, { faults }: Pick<ImportPreview, 'faults'>): Faults {
  const placeOf = (column: string | null) => {
    const at = column === null ? -1 : checked.header.lastIndexOf(column);
    return at === -1 ? undefined : at;
  };
  const header = faults.flatMap(({ row, column, fault }) => (row === null ? { column: placeOf(column), fault } : []));
  const byRow = Map.groupBy(
    faults.filter(({ row }) => row !== null),
    ({ row }) => row,
  );
  const rows = [...byRow].flatMap(([index, some]): FaultyRow[] => {
    const row = index === null ? undefined : checked.rows[index];
    if (!row) return [];
    const cells = some.flatMap(({ column, fault }): FaultyCell[] => {
      if (fault === 'cells-too-many') return beyond(row, checked.header.length).map((at) => ({ column: at, fault }));
      const at = placeOf(column);
      return at === undefined ? [] : [{ column: at, fault }];
    });
    const others = some.filter(({ column, fault }) => fault !== 'cells-too-many' && placeOf(column) === undefined);
    const inOrder = cells.toSorted((one, other) => one.column - other.column);
    return [{ line: row.line, cells: inOrder, others: others.map(({ fault }) => fault) }];
  });
  return { header, rows };
}

const beyond = ({ cells }: DraftRow, columns: number) => cells.flatMap((cell, at) => (at >= columns && cell !== '' ? at : []));

export const placed = (cells: readonly string[]) => cells.map((text, at) => ({ at, text }));

/** The file as a data URL: UTF-8 with a byte order mark, which spreadsheets recognise. */
export function addressOfCsv(rows: readonly (readonly string[])[]): string {
  const text = rows.map((cells) => `${cells.join(',')}\r\n`).join('');
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${text}`)}`;
}
