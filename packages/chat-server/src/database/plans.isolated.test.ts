import { DatabaseSync } from 'node:sqlite';
import { SqliteQueryCompiler } from 'kysely';
import { expect, it, vi } from 'vitest';
import { migrations } from '../migrations.ts';

/** Scans that are allowed because the table is small, all of it is needed, or a limit ends the scan. */
const allowedScans = [
  // A row for each table whose ids are AUTOINCREMENT.
  'SCAN sqlite_sequence',
  'SCAN linkifier',
  'SCAN realm',
  'SCAN realm_emoji',
  'SCAN playground',
  'SCAN profile_field',
  // Everyone, and the check for another owner.
  'SCAN user',
  'SCAN user USING COVERING INDEX user_by_name',
  // All groups, for their lists and for comparing them with the departments.
  'SCAN user_group',
  'SCAN user_group_member',
  'SCAN user_group_subgroup',
  // All bots, for administrators, and their keys after a restore on request.
  'SCAN bot',
  // All former names.
  'SCAN former_name',
  // Runs once, before the first message.
  'SCAN alert_word',
  // Deletes all keys, after a restore on request.
  'SCAN api_key',
  // The oldest events, up to a limit.
  'SCAN event',
  // The oldest ids of clients, up to a limit.
  'SCAN client_message',
  // Runs once at start, because the time while the server was down does not count.
  'SCAN queue USING INDEX queue_by_end',
  // The streams that new members join, at most `maxDefaultStreams`.
  'SCAN stream USING INDEX stream_default',
  // All streams, for the list of an administrator.
  'SCAN stream',
  'SCAN stream USING INDEX stream_open',
  'SCAN stream USING INDEX stream_public',
];

/** Every statement of the chat server. Statements are compiled when their module is loaded. */
async function statements(): Promise<string[]> {
  const compile = vi.spyOn(SqliteQueryCompiler.prototype, 'compileQuery');
  await import('../chatServer.ts');
  return compile.mock.results.map(({ value }) => value.sql);
}

it('No SQL statement of the chat server scans a whole table, except those in the list of allowed scans', async () => {
  const database = new DatabaseSync(':memory:');
  for (const step of migrations) database.exec(step);
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  const scans = (await statements())
    // SQLite plans a scan for foreign keys of an insert, which runs only if a key is violated.
    .filter((sql) => !sql.startsWith('insert into'))
    .flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    )
    .filter((detail) => tables.includes(/^SCAN (\w+)/.exec(detail)?.[1] ?? ''));
  expect(new Set(scans)).toEqual(new Set(allowedScans));
});
