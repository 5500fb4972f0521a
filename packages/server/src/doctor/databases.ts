import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chatDatabaseVersion, newestTime } from '@engawa/chat-server';
import { versionOfFile } from '@engawa/chat-server/database';
import { databaseFiles } from '../storage/layout.ts';
import { reasonOf } from '../log/failure.ts';
import { migrations } from '../database/migrations.ts';
import { type Finding, ok, problem, firstOf, warning } from './finding.ts';

const known = { [databaseFiles.chat]: chatDatabaseVersion, [databaseFiles.product]: migrations.length };

/** @param withoutChat whether a Zulip server has the messages. */
export function checkDatabases(dataDirectory: string, withoutChat: boolean): Finding[] {
  const paths = Object.values(databaseFiles).filter((path) => !withoutChat || path !== databaseFiles.chat);
  return paths.flatMap((path) => {
    const file = join(dataDirectory, path);
    if (!existsSync(file)) return [problem('database', `${path} がありません。`, `${path} is missing.`)];
    try {
      return [integrityOf(file, path), versionOf(file, path)];
    } catch (error) {
      return [problem('database', `${path} を読めません。`, `${path} cannot be read (${reasonOf(error)}).`)];
    }
  });
}

function integrityOf(file: string, path: string): Finding {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const faults = database
      .prepare('PRAGMA integrity_check(20)')
      .all()
      .map((row) => String(row['integrity_check']))
      .filter((line) => line !== 'ok');
    const strays = database
      .prepare('PRAGMA foreign_key_check')
      .all()
      .map((row) => String(row['table']));
    if (faults.length + strays.length === 0) return ok('database', `${path} は壊れていません。`, `${path} is intact.`);
    const shown = firstOf([...faults, ...strays.map((table) => `foreign key of ${table}`)]);
    return problem(
      'database',
      `${path} が壊れています（${shown}）。バックアップから復元してください。`,
      `${path} is damaged (${shown}). Restore a backup.`,
    );
  } finally {
    database.close();
  }
}

function versionOf(file: string, path: (typeof databaseFiles)[keyof typeof databaseFiles]): Finding {
  const version = versionOfFile(file);
  const needed = known[path];
  if (version === needed) return ok('version', `${path} の版は ${version} です。`, `${path} has version ${version}.`);
  if (version > needed) {
    return problem(
      'version',
      `${path} の版 ${version} は、このプログラムの知る ${needed} より新しいものです。新しい版の縁側を使ってください。`,
      `${path} has version ${version}, but this program supports ${needed}. Use a newer Engawa.`,
    );
  }
  return warning(
    'version',
    `${path} の版 ${version} は、次の起動で ${needed} になります（先にバックアップを作ります）。`,
    `${path} has version ${version}. The next start upgrades it to ${needed}, after a backup.`,
  );
}

const toleratedSeconds = 300;

/** Reports messages or sessions dated in the future: the clock of the machine is or was wrong. */
export function checkClock(dataDirectory: string, now: number): Finding[] {
  const file = join(dataDirectory, databaseFiles.chat);
  if (!existsSync(file)) return [];
  let newest: number | undefined;
  try {
    newest = newestTime(file);
  } catch (error) {
    return [problem('clock', '時計を確かめられません。', `The clock cannot be checked (${reasonOf(error)}).`)];
  }
  const shown = new Date(now).toISOString();
  if (newest === undefined || newest * 1000 <= now + toleratedSeconds * 1000) {
    return [ok('clock', `時計は ${shown} です。`, `The clock says ${shown}.`)];
  }
  const latest = new Date(newest * 1000).toISOString();
  return [
    problem(
      'clock',
      `最新の記録（${latest}）が、今の時計（${shown}）より未来です。時計を合わせてください。`,
      `The newest record (${latest}) is later than the clock (${shown}). Set the clock right.`,
    ),
  ];
}
