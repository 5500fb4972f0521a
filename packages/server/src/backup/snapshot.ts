import { writeFileSync } from 'node:fs';
import { DatabaseSync, backup } from 'node:sqlite';
import { Failure } from '../log/failure.ts';

export interface CopyOfDatabase {
  readonly from: string;
  readonly to: string;
}

const writerTimeoutMs = 10_000;
const pagesPerStep = 2000;

/**
 * Writers wait only while the moment is marked, for milliseconds. @returns the moment, in milliseconds since 1970. @throws
 * Failure
 */
export async function copyDatabases(copies: readonly CopyOfDatabase[]): Promise<number> {
  const held: { readonly reader: DatabaseSync; readonly to: string; readonly from: string }[] = [];
  try {
    const moment = markMoment(copies, held);
    for (const { reader, to, from } of held) {
      // Created first, because SQLite would create a file that all users of the machine can read.
      writeFileSync(to, '', { mode: 0o600, flag: 'wx' });
      await backup(reader, to, { rate: pagesPerStep });
      settle(to, from);
    }
    return moment;
  } finally {
    for (const { reader } of held) reader.close();
  }
}

/** Blocks writing to all databases while the readers open, so that they read the same moment. */
function markMoment(
  copies: readonly CopyOfDatabase[],
  held: { readonly reader: DatabaseSync; readonly to: string; readonly from: string }[],
): number {
  const writers: DatabaseSync[] = [];
  try {
    for (const { from } of copies) {
      const writer = new DatabaseSync(from, { timeout: writerTimeoutMs });
      writers.push(writer);
      writer.exec('BEGIN IMMEDIATE');
    }
    for (const { from, to } of copies) {
      const reader = new DatabaseSync(from, { readOnly: true, timeout: writerTimeoutMs });
      held.push({ reader, to, from });
      // SQLite fixes what a transaction sees at its first read, so one row is read at once.
      reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    }
    return Date.now();
  } finally {
    for (const writer of writers) writer.close();
  }
}

function settle(path: string, source: string): void {
  const copy = new DatabaseSync(path);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const found = copy
      .prepare('PRAGMA quick_check(1)')
      .all()
      .map((row) => String(row['quick_check']));
    if (found.join() === 'ok') return;
    throw new Failure(
      `データベース ${source} が壊れています（${found.join()}）。engawa doctor で調べてください。`,
      `The database ${source} is damaged (${found.join()}). See engawa doctor.`,
    );
  } finally {
    copy.close();
  }
}

export function rowsByTable(path: string): Record<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const counted = database.prepare(`SELECT count(*) AS rows FROM "${String(name)}"`).get();
        return [String(name), Number(counted?.['rows'])];
      }),
    );
  } finally {
    database.close();
  }
}
