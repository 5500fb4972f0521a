import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** Reads the file without changing it. @returns the number of its migrations, 0 if the file is missing. */
export function versionOfFile(file: string): number {
  if (!existsSync(file)) return 0;
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    return versionOf(connection);
  } finally {
    connection.close();
  }
}

const versionOf = (connection: DatabaseSync): number => Number(connection.prepare('PRAGMA user_version').get()?.['user_version']);

export function migrate(connection: DatabaseSync, migrations: readonly string[]): void {
  const seen = versionOf(connection);
  if (seen > migrations.length) {
    throw new NewerDatabaseError(`the database has version ${seen}, this program knows ${migrations.length}`);
  }
  if (seen === migrations.length) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(seen)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${migrations.length}`);
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
