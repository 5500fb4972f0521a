export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly next: number;
}

/** The table that begins at line `at`: cells between bars, and a line of dashes below the first row. */
export function tableAt(lines: readonly string[], at: number): Table | undefined {
  const head = cellsIn(lines[at]);
  const dashes = cellsIn(lines[at + 1]);
  if (!head || dashes?.length !== head.length || !dashes.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  const rows: (readonly string[])[] = [];
  let next = at + 2;
  for (let row = cellsIn(lines[next]); row; row = cellsIn(lines[next])) {
    rows.push(joinedAfter(row, head.length - 1));
    next += 1;
  }
  return { head, rows, next };
}

/** A row with more cells than the table has columns shows all of its text in the last one. */
function joinedAfter(row: readonly string[], column: number): readonly string[] {
  return row.length <= column ? row : [...row.slice(0, column), row.slice(column).join(' | ')];
}

function cellsIn(line: string | undefined): readonly string[] | undefined {
  if (!line?.includes('|')) return undefined;
  const inside = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inside.split('|').map((cell) => cell.trim());
}
