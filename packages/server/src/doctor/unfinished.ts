import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFiles } from '../storage/layout.ts';
import { unfinishedName } from '../backup/restore.ts';
import { reasonOf } from '../log/failure.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

export function checkUnfinished(dataDirectory: string): Finding[] {
  if (existsSync(join(dataDirectory, unfinishedName))) {
    return [
      problem(
        'unfinished',
        '復元が途中で止まっています。DATA_DIR を空にして、もう一度 engawa restore を実行してください。',
        'A restore was interrupted. Empty DATA_DIR and run engawa restore again.',
      ),
    ];
  }
  const file = join(dataDirectory, databaseFiles.product);
  if (!existsSync(file)) return [];
  try {
    return [plansIn(file)];
  } catch (error) {
    return [
      problem('unfinished', '途中の変更を確かめられません。', `Unfinished changes cannot be checked (${reasonOf(error)}).`),
    ];
  }
}

/** Tables with unfinished work; databases of older versions lack some of them. */
const leftOver = [
  { table: 'seeding', select: 'SELECT count(*) AS rows FROM seeding WHERE finished = 0' },
  { table: 'organisation_change', select: 'SELECT count(*) AS rows FROM organisation_change' },
] as const;

function plansIn(file: string): Finding {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const isTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    const count = leftOver
      .filter(({ table }) => isTable.get(table) !== undefined)
      .reduce((sum, { select }) => sum + Number(database.prepare(select).get()?.['rows']), 0);
    if (count === 0) return ok('unfinished', '途中の変更はありません。', 'No change is unfinished.');
    return warning(
      'unfinished',
      `途中の変更が ${count} 件あります。縁側を再起動すると完了します。`,
      `${count} changes are unfinished. Restart Engawa to complete them.`,
    );
  } finally {
    database.close();
  }
}
