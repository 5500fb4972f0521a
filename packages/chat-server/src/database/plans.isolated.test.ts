import { DatabaseSync } from 'node:sqlite';
import { SqliteQueryCompiler } from 'kysely';
import { expect, it, vi } from 'vitest';
import { migrations } from '../migrations.ts';

/** What is read from its beginning, because it is small, wanted whole, or read no further than a limit. */
const walked = [
  'SCAN counter',
  'SCAN linkifier',
  'SCAN realm',
  'SCAN realm_emoji',
  // Everybody; and whether there is another owner.
  'SCAN user',
  // What everybody was called before.
  'SCAN former_name',
  // Once for each change of somebody's words.
  'SCAN alert_word',
  // Every key ends, after a restore where that is asked for.
  'SCAN api_key',
  // The oldest events, up to a limit.
  'SCAN event',
  // Once at the beginning, because nobody was silent while the server was down.
  'SCAN queue USING INDEX queue_by_end',
  // All of them, for the list of an administrator.
  'SCAN stream',
  'SCAN stream USING INDEX stream_open',
  'SCAN stream USING INDEX stream_public',
];

/** Every statement of the chat server. Each is compiled when the module that it stands in is loaded. */
async function statements(): Promise<string[]> {
  const compile = vi.spyOn(SqliteQueryCompiler.prototype, 'compileQuery');
  await import('../chatServer.ts');
  return compile.mock.results.map(({ value }) => value.sql);
}

it('no statement reads a table from its beginning but those that are meant to', async () => {
  const database = new DatabaseSync(':memory:');
  for (const step of migrations) database.exec(step);
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  const scans = (await statements())
    // For one that answers an id SQLite plans scans for foreign keys, which it makes only where one is already broken.
    .filter((sql) => !sql.startsWith('insert into'))
    .flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    )
    .filter((detail) => tables.includes(/^SCAN (\w+)/.exec(detail)?.[1] ?? ''));
  expect(new Set(scans)).toEqual(new Set(walked));
});
