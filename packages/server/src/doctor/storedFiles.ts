import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFiles, fileDirectories, namedFiles, placePattern } from '../storage/layout.ts';
import { sizeText } from '../log/format.ts';
import { reasonOf } from '../log/failure.ts';
import { type Finding, ok, problem, firstOf, warning } from './finding.ts';

/** A file of an upload exists before its database row, so only older files without a row are reported. */
const youthMs = 24 * 60 * 60 * 1000;

export function checkFiles(dataDirectory: string, now: number): Finding[] {
  if (!existsSync(join(dataDirectory, databaseFiles.product))) return [];
  try {
    const before = filesIn(dataDirectory);
    const named = namedFiles(dataDirectory);
    // The directory is read again, because files may have been added or removed while the database was read.
    const present = new Map([...before, ...filesIn(dataDirectory)]);
    return compare(named, present, now);
  } catch (error) {
    return [problem('files', 'ファイルを確かめられません。', `The files cannot be checked (${reasonOf(error)}).`)];
  }
}

interface FileOnDisk {
  readonly size: number;
  readonly written: number;
}

function filesIn(dataDirectory: string): Map<string, FileOnDisk> {
  const folders = fileDirectories.filter((folder) => existsSync(join(dataDirectory, folder)));
  return new Map(
    folders.flatMap((folder) =>
      readdirSync(join(dataDirectory, folder))
        .filter((name) => placePattern.test(name))
        .flatMap((name) => {
          const stat = statSync(join(dataDirectory, folder, name), { throwIfNoEntry: false });
          return stat ? [[`${folder}/${name}`, { size: stat.size, written: stat.mtimeMs }] as const] : [];
        }),
    ),
  );
}

function compare(named: ReadonlyMap<string, number>, present: ReadonlyMap<string, FileOnDisk>, now: number): Finding[] {
  const missing = [...named.keys()].filter((path) => !present.has(path));
  const changed = [...named]
    .filter(([path, size]) => present.has(path) && present.get(path)?.size !== size)
    .map(([path]) => path);
  const unknown = [...present].filter(([path, { written }]) => !named.has(path) && written < now - youthMs);
  const bytes = [...named.values()].reduce((sum, size) => sum + size, 0);
  const findings: Finding[] = [];
  if (missing.length > 0) {
    findings.push(
      problem(
        'files',
        `ファイルが ${missing.length} 個失われています（${firstOf(missing)}）。バックアップから戻してください。`,
        `${missing.length} files are missing (${firstOf(missing)}). Restore them from a backup.`,
      ),
    );
  }
  if (changed.length > 0) {
    findings.push(
      problem(
        'files',
        `大きさの違うファイルが ${changed.length} 個あります（${firstOf(changed)}）。バックアップから戻してください。`,
        `${changed.length} files have the wrong size (${firstOf(changed)}). Restore them from a backup.`,
      ),
    );
  }
  if (unknown.length > 0) {
    findings.push(
      warning(
        'files',
        `どこからも使われていないファイルが ${unknown.length} 個あります。動いている縁側が 1 日以内に片付けます。`,
        `${unknown.length} files are not used by anything. A running Engawa removes them within a day.`,
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [
    ok(
      'files',
      `ファイル ${named.size} 個（${sizeText(bytes)}）がそろっています。`,
      `All ${named.size} files are present (${sizeText(bytes)}).`,
    ),
  ];
}
