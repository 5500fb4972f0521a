import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, readManifest } from '../backup/manifest.ts';
import { Failure, reasonOf } from '../log/failure.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const day = 24 * 60 * 60 * 1000;
const oldAfterDays = 2;

export async function checkBackups(directory: string, now: number): Promise<Finding[]> {
  let found: (Manifest | undefined)[];
  try {
    const entries = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    found = await Promise.all(entries.map(({ name }) => manifestOf(join(directory, name))));
  } catch (error) {
    return [problem('backups', `${directory} を読めません。`, `${directory} cannot be read (${reasonOf(error)}).`)];
  }
  const finished = found.filter((manifest) => manifest !== undefined);
  const unfinished = found.length - finished.length;
  const findings =
    unfinished > 0
      ? [
          warning(
            'backups',
            `${directory} に、最後まで作られていないバックアップが ${unfinished} 個あります。`,
            `${directory} holds ${unfinished} unfinished backups.`,
          ),
        ]
      : [];
  const newest = Math.max(...finished.map(({ asOf }) => Date.parse(asOf)));
  if (finished.length === 0) {
    return [...findings, problem('backups', `${directory} にバックアップがありません。`, `${directory} holds no backup.`)];
  }
  const shown = new Date(newest).toISOString();
  if (newest < now - oldAfterDays * day) {
    return [
      ...findings,
      warning('backups', `最新のバックアップ（${shown}）が古くなっています。`, `The newest backup is old (${shown}).`),
    ];
  }
  return [...findings, ok('backups', `最新のバックアップは ${shown} のものです。`, `The newest backup was made at ${shown}.`)];
}

async function manifestOf(directory: string): Promise<Manifest | undefined> {
  try {
    return await readManifest(directory);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
