import type { DatabaseSync } from 'node:sqlite';

/** The file was written by a later version of this program. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** Brings the file up to date: each step that it has not seen, in one transaction together with its mark. */
export function migrate(connection: DatabaseSync, migrations: readonly string[]): void {
  const seen = Number(connection.prepare('PRAGMA user_version').get()?.['user_version']);
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
