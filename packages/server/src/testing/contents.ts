import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns every row of every table of a database as text, to compare two databases. */
export function rowsOf(file: string): Record<string, string[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        database
          .prepare(`SELECT * FROM "${String(name)}"`)
          .all()
          .map((row) => JSON.stringify(row, bytesAsHex))
          .toSorted(),
      ]),
    );
  } finally {
    database.close();
  }
}

function bytesAsHex(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

export function sumsOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex'),
    ]),
  );
}
