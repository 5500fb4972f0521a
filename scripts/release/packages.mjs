// The packages of npm that an archive contains, and their licences.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { librariesLicence } from './libraries.mjs';
import { root } from '../fingerprint.mjs';

const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
const fetched = join(root, 'node_modules/.cache/release');

/** The folder of a package in the locked version. npm installs no packages for other platforms, so these are fetched. */
export function unpacked(name) {
  const installed = join(root, 'node_modules', name);
  return existsSync(installed) ? installed : fetchPackage(name);
}

function fetchPackage(name) {
  const { version, integrity } = locked[`node_modules/${name}`];
  const folder = join(fetched, `${name.replaceAll('/', '+')}-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  mkdirSync(unfinished, { recursive: true });
  const packed = ['pack', `${name}@${version}`, '--json', '--pack-destination', fetched];
  const [{ filename }] = JSON.parse(execFileSync('npm', packed, { cwd: root, encoding: 'utf8' }));
  const file = join(fetched, filename);
  const sum = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (sum !== integrity) throw new Error(`${name}@${version} is not the locked one: ${sum}`);
  extract({ file, cwd: unfinished, strip: 1, sync: true });
  renameSync(unfinished, folder);
  return folder;
}

/** All packages that the product runs with, in its bundles, its screens or beside them. @param {string[]} native of the platform */
export function licences(native, architecture) {
  const everywhere = Object.entries(locked).filter(([path, { dev, devOptional, link, os }]) => {
    return path.startsWith('node_modules/') && !dev && !devOptional && !link && os === undefined;
  });
  const texts = everywhere.map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name: `${name}-${version}`, text: licenceIn(join(root, path), name, license) };
  });
  const ofPlatform = native.map((name) => {
    const { version, license } = locked[`node_modules/${name}`];
    return { name: `${name}-${version}`, text: licenceIn(unpacked(name), name, license) };
  });
  return [...texts, ...ofPlatform, { name: 'libstdc++', text: librariesLicence(architecture) }];
}

function licenceIn(folder, name, license) {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8'));
  return texts.length > 0 ? texts.join('\n') : `${name}: ${license}\n`;
}
