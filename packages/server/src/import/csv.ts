const separators = [',', '\t', ';'] as const;
const mostOfHeader = 10_000;

/** The start of a cell that a spreadsheet may run as a formula. Japanese Excel also runs full-width signs. */
export const formula = /^[=+\-@＝＋－＠]/;

/** An unclosed quote counts as a plain character, so that it does not swallow the rest of the file. */
export function* recordsOf(text: string, separator: string = separatorOf(text)): Generator<string[], void> {
  const plain = new RegExp(`[${separator}\\r\\n]`, 'g');
  let fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"' ? closedAt(text, at + 1) : undefined;
    plain.lastIndex = quoted === undefined ? at : quoted + 1;
    const end = plain.exec(text)?.index ?? text.length;
    fields.push(quoted === undefined ? text.slice(at, end) : unquoted(text, at, quoted) + text.slice(quoted + 1, end));
    if (text[end] === separator) {
      at = end + 1;
      // A record that ends with a separator ends with an empty field.
      if (at < text.length) continue;
      fields.push('');
    }
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    yield fields;
    fields = [];
  }
}

const unquoted = (text: string, opened: number, closed: number) => text.slice(opened + 1, closed).replaceAll('""', '"');

function closedAt(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}

function separatorOf(text: string): string {
  const [line = ''] = text
    .slice(0, mostOfHeader)
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const counts = separators.map((separator) => ({ separator, count: line.split(separator).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).separator;
}

/** A field is quoted if it would not be read back unchanged. */
export function writeCsv(records: readonly (readonly string[])[], { separator = ',', lineEnd = '\r\n' } = {}): string {
  const field = (text: string) => (text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return records.map((fields) => fields.map(field).join(separator) + lineEnd).join('');
}
