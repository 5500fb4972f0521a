/*
 * The libraries of C++ that Node needs and a small system may lack. They come from Debian's packages for the platform, so an archive
 * is made on Debian. The launcher uses them only where the system has none.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../fingerprint.mjs';

const packages = { 'libstdc++6': 'libstdc++.so.6', 'libgcc-s1': 'libgcc_s.so.1' };

/** @param {'amd64' | 'arm64'} architecture */
export function libraries(architecture) {
  return Object.entries(packages).map(([name, file]) => {
    const folder = unpackedDebian(name, architecture);
    const path = readdirSync(folder, { recursive: true }).find((each) => each.endsWith(`/${file}`));
    if (path === undefined) throw new Error(`${name} has no ${file}`);
    return { file, path: join(folder, path) };
  });
}

/** @param {'amd64' | 'arm64'} architecture */
export function librariesLicence(architecture) {
  const copyright = join(unpackedDebian('libgcc-s1', architecture), 'usr/share/doc');
  const path = readdirSync(copyright, { recursive: true }).find((each) => each.endsWith('/copyright'));
  const exception = path === undefined ? unpackedDebian('gcc-12-base', architecture) : copyright;
  const text = readFileSync(join(exception, path ?? 'usr/share/doc/gcc-12-base/copyright'), 'utf8');
  return `${text}\n${readFileSync('/usr/share/common-licenses/GPL-3', 'utf8')}`;
}

function unpackedDebian(name, architecture) {
  const folder = join(root, 'node_modules/.cache/release', `${name}-${architecture}`);
  if (existsSync(folder)) return folder;
  if (architecture !== execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()) {
    execFileSync('dpkg', ['--add-architecture', architecture]);
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  }
  const debs = `${folder}.debs`;
  mkdirSync(debs, { recursive: true });
  execFileSync('apt-get', ['download', '-qq', `${name}:${architecture}`], { cwd: debs, stdio: 'inherit' });
  const deb = readdirSync(debs).find((file) => file.startsWith(`${name}_`));
  if (deb === undefined) throw new Error(`there is no package ${name} for ${architecture}`);
  execFileSync('dpkg-deb', ['-x', join(debs, deb), folder]);
  return folder;
}
