/*
 * Compares the locked dependencies with `advisories.json`, without the network. SECURITY.md has the process that keeps the list
 * current. It fails for a listed version and only warns about an old list, so that the same commit passes on any day.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './fingerprint.mjs';
import { isProgram } from './withNode.mjs';

/** Days after which the list counts as old. */
const mostDays = 45;

/**
 * @typedef {object} Advisory
 * @property {string} package
 * @property {string} [from] the first affected version; absent: all before `fixed`
 * @property {string} fixed the first version that is not affected
 * @property {string} id
 * @property {string} about
 */

/**
 * @param {{ packages: Readonly<Record<string, { version?: string }>> }} lock `package-lock.json`, version 3
 * @param {readonly Advisory[]} advisories
 * @returns {string[]} a line per affected package
 */
export function affected({ packages }, advisories) {
  return Object.entries(packages).flatMap(([path, { version }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (version === undefined || !path.includes('node_modules/')) return [];
    return advisories
      .filter(({ package: named, from = '0.0.0', fixed }) => {
        return named === name && isBefore(version, fixed) && !isBefore(version, from);
      })
      .map(({ fixed, id, about }) => `${name} ${version}: ${about} (${id}, fixed in ${fixed})`);
  });
}

/** A prerelease counts as before its release. */
function isBefore(one, other) {
  const [numbers, others] = [one, other].map((version) => version.split(/[-+]/)[0].split('.').map(Number));
  const at = numbers.findIndex((number, index) => number !== others[index]);
  return at === -1 ? one.includes('-') && !other.includes('-') : numbers[at] < others[at];
}

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

if (isProgram(import.meta.filename)) {
  const { checked, advisories } = read('scripts/advisories.json');
  const days = Math.floor((Date.now() - Date.parse(checked)) / 86_400_000);
  if (days > mostDays) console.warn(`scripts/advisories.json was checked ${days} days ago. See "Dependencies" in SECURITY.md.`);
  const found = affected(read('package-lock.json'), advisories);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
