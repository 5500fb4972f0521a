/** Tables as spreadsheets write them (RFC 4180, and what Excel makes of it). A table of its own is shorter than fitting one. */

const separators = [',', '\t', ';'] as const;
/** Characters that are looked at to find out which. */
const mostOfHeader = 10_000;

/**
 * The records of a text, each with its fields. A quote that is never closed is a character like others, so that it does
 * not swallow the rest of the file.
 * @param separator between fields; without it, the one that stands most often in the first line.
 */
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
      // What ends with a separator ends with an empty field.
      if (at < text.length) continue;
      fields.push('');
    }
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
    yield fields;
    fields = [];
  }
}

const unquoted = (text: string, opened: number, closed: number) => text.slice(opened + 1, closed).replaceAll('""', '"');

/** Where the quote stands that closes; two of them are one that was meant. */
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

export interface WrittenAs {
  readonly separator: string;
  readonly lineEnd: string;
}

/** A table as text: each field quoted that would not be read back as it is. */
export function writeCsv(
  records: readonly (readonly string[])[],
  { separator, lineEnd }: WrittenAs = { separator: ',', lineEnd: '\r\n' },
): string {
  const field = (text: string) => (text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return records.map((fields) => fields.map(field).join(separator) + lineEnd).join('');
}
