// A fingerprint of the sources of a build: their paths, sizes and times. Plain Node, because it runs before any build.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

const ignored = new Set(['node_modules', 'dist']);

/** @param {readonly string[]} sources Files and directories, relative to the root; they may be missing. */
export function fingerprintOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) describe(source, hash);
  return hash.digest('hex');
}

function describe(path, hash) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    for (const name of readdirSync(join(root, path)).toSorted()) if (!ignored.has(name)) describe(join(path, name), hash);
  } else {
    hash.update(`${path}\0${stat?.size}\0${stat?.mtimeMs}\n`);
  }
}

/** Whether `file` contains the current fingerprint of the sources, and `made` exists. */
export function isFresh(file, sources, made) {
  try {
    statSync(join(root, made));
    return readFileSync(join(root, file), 'utf8') === fingerprintOf(sources);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}

export function writeFingerprint(file, fingerprint) {
  writeFileSync(join(root, file), fingerprint);
}
