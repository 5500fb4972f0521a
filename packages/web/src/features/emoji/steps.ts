export interface CellPosition {
  /** Index across all categories. -1: above the first row. */
  readonly row: number;
  readonly column: number;
}

const pageRows = 5;

export function step(
  { key, ctrlKey }: { readonly key: string; readonly ctrlKey: boolean },
  { row, column }: CellPosition,
  lengths: readonly number[],
): CellPosition | undefined {
  const lastRow = lengths.length - 1;
  const lastOf = (of: number) => (lengths[of] ?? 1) - 1;
  const inRow = (to: number): CellPosition => ({ row: to, column: Math.min(column, lastOf(to)) });
  switch (key) {
    case 'ArrowRight':
      if (column < lastOf(row)) return { row, column: column + 1 };
      return row === lastRow ? { row, column } : { row: row + 1, column: 0 };
    case 'ArrowLeft':
      if (column > 0) return { row, column: column - 1 };
      return row === 0 ? { row, column } : { row: row - 1, column: lastOf(row - 1) };
    case 'ArrowDown':
      return inRow(Math.min(row + 1, lastRow));
    case 'ArrowUp':
      return row === 0 ? { row: -1, column } : inRow(row - 1);
    case 'PageDown':
      return inRow(Math.min(row + pageRows, lastRow));
    case 'PageUp':
      return inRow(Math.max(row - pageRows, 0));
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return ctrlKey ? { row: lastRow, column: lastOf(lastRow) } : { row, column: lastOf(row) };
    default:
      return undefined;
  }
}
