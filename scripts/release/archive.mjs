import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { create } from 'tar';

/**
 * Writes all files of `folder` into a gzipped tar archive. The bytes depend only on the names, the contents and whether a file may
 * run: order, owners and times are fixed.
 * @param {string} folder
 * @param {string} file
 * @param {Date} time of every entry
 */
export async function writeArchive(folder, file, time) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
  await create({ cwd: folder, file, gzip: { level: 9 }, portable: true, mtime: time, strict: true }, names);
}
