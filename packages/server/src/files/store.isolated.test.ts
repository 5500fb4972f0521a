import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database } from '@engawa/chat-server/database';
import { SqliteQueryCompiler } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { migrations } from '../database/migrations.ts';

// Statements are compiled when their module is loaded.
const compile = vi.spyOn(SqliteQueryCompiler.prototype, 'compileQuery');
const { files } = await import('./store.ts');
const statements = compile.mock.results.map(({ value }) => String(value.sql));

it('The queries for unsent files use an index and do not scan the sent files', () => {
  const database = new DatabaseSync(':memory:');
  for (const step of migrations) database.exec(step);
  const plans = statements
    .filter((sql) => sql.startsWith('select'))
    .flatMap((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
  database.close();
  expect(plans).toEqual(
    expect.arrayContaining([
      'SEARCH file USING COVERING INDEX file_unsent_of_uploader (uploader_id=?)',
      'SEARCH file USING INDEX file_unsent_by_age (created<?)',
    ]),
  );
  // Sorts the uploads that a member made in one second.
  expect(plans.filter((plan) => !plan.startsWith('SEARCH'))).toEqual(['USE TEMP B-TREE FOR LAST TERM OF ORDER BY']);
});

it('The migration that adds the column `sent` marks each file as sent that has a file message', () => {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-files-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'engawa.db');
  const older = 11;
  new Database(path, { migrations: migrations.slice(0, older) }).close();
  const connection = new DatabaseSync(path);
  connection.exec(`
    INSERT INTO file (stored_name, place, uploader_id, name, size, type, created)
      VALUES ('sent', 'a', 1, 'a', 300, 'a', 1), ('unsent', 'b', 1, 'b', 5, 'b', 1);
    INSERT INTO file_message (stored_name, message_id) VALUES ('sent', 1), ('sent', 2);
  `);
  connection.close();

  const database = new Database(path, { migrations });
  expect(files.unsentBytes(database.reader, 1)).toBe(5);
  expect(files.unsent(database.reader, 2, 0, 10)).toMatchObject([{ stored_name: 'unsent' }]);
  database.close();
});
