/** The start of a formula, which a spreadsheet would run. Japanese Excel also runs full-width signs. */
const formula = /^[=+\-@＝＋－＠\t\r]/;

function cellOf(text: string): string {
  const guarded = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** UTF-8 with a byte order mark, which spreadsheets recognise. */
export function csvFile(rows: readonly (readonly string[])[]): Blob {
  const text = rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
  return new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' });
}

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // A minute is enough for the browser to start reading the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
