/*
 * `npm run release:check`: installs and upgrades real archives in root file systems that have only glibc and BusyBox, without network.
 * It needs root, Debian's busybox-static, and an archive of this machine's platform in dist/release/ that the key in RELEASE_KEY signed.
 * PREVIOUS is the archive that is installed first and upgraded, or a commit, whose archive is built with the network; unset: HEAD^.
 * systemd does not run in such a root: `systemctl` there is a script that starts and stops the program of the unit as its user, so
 * the hardening of the unit is not checked.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createPrivateKey, createHash, sign } from 'node:crypto';
import {
  copyFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { root as repository } from './fingerprint.mjs';
import { putLoad, storedTexts } from './release/load.mjs';

const address = 'http://127.0.0.1:8080';
const owner = { organisation: '縁側商事', name: '持ち主', email: 'owner@example.com', password: 'correct horse battery' };
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const platform = `linux-${process.arch}`;
const name = `engawa-${version}-${platform}`;

/** In the place of a release's program: it migrates the data, is not healthy on the configured port, and ends. */
const endsAfterMigration = `
import { spawn } from 'node:child_process';
import { join } from 'node:path';
if (process.argv[2] === 'start') {
  const words = [join(import.meta.dirname, 'real.mjs'), 'start'];
  const child = spawn(process.execPath, words, { env: { ...process.env, PORT: '8099' }, stdio: 'inherit' });
  setTimeout(() => {
    child.kill('SIGKILL');
    process.exit(1);
  }, 5000);
}
`;

const scratch = mkdtempSync(join(tmpdir(), 'engawa-check-'));
if (process.env.ENGAWA_CHECK !== 'inside') {
  let status;
  try {
    const { PREVIOUS: given = 'HEAD^' } = process.env;
    const previous = existsSync(given) ? resolve(given) : buildArchive(given);
    // Own mounts, processes and network; the only interface is the loopback.
    ({ status } = spawnSync(
      'unshare',
      ['--mount', '--net', '--pid', '--fork', '--kill-child', process.execPath, import.meta.filename],
      { stdio: 'inherit', env: { ...process.env, PREVIOUS: previous, ENGAWA_CHECK: 'inside' } },
    ));
  } finally {
    rmSync(scratch, { recursive: true });
  }
  process.exit(status ?? 1);
}

execFileSync('ip', ['link', 'set', 'lo', 'up']);
const mounts = [];
try {
  await checkDemo();
  await checkService();
} finally {
  for (const mount of mounts.toReversed()) execFileSync('umount', ['--recursive', '--lazy', mount]);
  rmSync(scratch, { recursive: true, force: true });
}

async function checkDemo() {
  const bare = makeRoot('bare', ['sh', 'tar']);
  cpSync(join(repository, 'dist/release', `${name}.tar.gz`), join(bare, 'root', `${name}.tar.gz`));
  const begun = Date.now();
  const demo = spawn(
    '/usr/sbin/chroot',
    [bare, '/bin/sh', '-c', `cd /root && tar xzf ${name}.tar.gz && exec ${name}/engawa start`],
    {
      env: { PATH: '/bin' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  await healthy();
  assert.match(await (await fetch(address)).text(), /<html lang="ja">/);
  console.log(`The demo is open ${secondsSince(begun)} s after tar began, with only glibc, sh and tar.`);
  checkLinks(join(bare, 'root', name, 'docs'));
  demo.kill();
  await new Promise((resolve) => demo.once('exit', resolve));
}

/** The guides name only files that the administrator has. */
function checkLinks(docs) {
  for (const guide of ['operations.ja.md', 'operations.en.md']) {
    const links = [...readFileSync(join(docs, guide), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path);
    assert.ok(links.length > 0);
    assert.deepEqual(
      links.filter((path) => !existsSync(join(docs, path))),
      [],
      `links of ${guide}`,
    );
  }
}

async function checkService() {
  const machine = makeRoot('machine', [
    'sh',
    'tar',
    'gunzip',
    'id',
    'chown',
    'chmod',
    'setpriv',
    'sleep',
    'kill',
    'cat',
    'rm',
    'sed',
  ]);
  addStandIns(machine);
  const media = join(machine, 'root');
  const archives = join(repository, 'dist/release');
  mkdirSync(join(media, 'current'));
  for (const file of [`${name}.tar.gz`, 'SHA256SUMS', 'SHA256SUMS.sig'])
    cpSync(join(archives, file), join(media, 'current', file));
  const former = basename(process.env.PREVIOUS);
  mkdirSync(join(media, 'former'));
  cpSync(process.env.PREVIOUS, join(media, 'former', former));
  const run = (...words) =>
    spawnSync('/usr/sbin/chroot', [machine, ...words], { env: { PATH: '/usr/local/bin:/bin' }, encoding: 'utf8' });
  const succeed = (...words) => {
    const { status, stdout, stderr } = run(...words);
    const journal = join(machine, 'root/journal');
    assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}${existsSync(journal) ? readFileSync(journal, 'utf8') : ''}`);
    return stdout;
  };
  const running = () => basename(readlinkSync(join(machine, 'opt/engawa/current')));

  const installed = timed(() => {
    succeed('/bin/tar', 'xzf', `/root/former/${former}`, '-C', '/root/former');
    return succeed(`/root/former/${former.replace('.tar.gz', '')}/engawa`, 'install');
  });
  console.log(installed.result);
  assert.match(installed.result, /setup code: (?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/);
  console.log(`Installed ${installed.seconds} s after tar began: ${running()}.`);
  writeFileSync(join(machine, 'etc/engawa/engawa.env'), 'RATE_LIMIT=none\n', { flag: 'a' });
  succeed('/bin/systemctl', 'stop', 'engawa.service');
  succeed('/bin/systemctl', 'start', 'engawa.service');
  await healthy();
  const key = await createOrganisation(succeed('/usr/local/bin/engawa', 'setup-code').trim());

  succeed('/bin/tar', 'xzf', `/root/current/${name}.tar.gz`, '-C', '/root/current');
  const ends = makeArchive(media, 'ends', 'e'.repeat(40), (folder) => {
    writeFileSync(join(folder, 'lib/dist/engawa.mjs'), 'process.exit(1);\n');
  });
  const migrates = makeArchive(media, 'migrates', 'f'.repeat(40), (folder) => {
    renameSync(join(folder, 'lib/dist/engawa.mjs'), join(folder, 'lib/dist/real.mjs'));
    writeFileSync(join(folder, 'lib/dist/engawa.mjs'), endsAfterMigration);
  });
  const first = running();
  const versions = versionsIn(machine);
  const load = putLoad(address, key, owner.email);
  const upgrade = async (archive, expected, ...options) => {
    const { result, seconds } = await timedAsync(() =>
      runAsync(machine, '/usr/local/bin/engawa', 'upgrade', archive, ...options),
    );
    assert.equal(result.code, expected, result.said);
    console.log(`${result.said}→ exit code ${result.code} after ${seconds} s; ${running()} runs; ${load.report()}.\n`);
    await healthy();
  };
  await upgrade(ends, 1, '--wait', '20');
  await upgrade(migrates, 1, '--wait', '20');
  assert.equal(running(), first);
  assert.deepEqual(versionsIn(machine), versions);
  writeFileSync(join(media, 'ends', 'SHA256SUMS.sig'), Buffer.alloc(64).toString('base64'));
  assert.match(run('/usr/local/bin/engawa', 'upgrade', ends).stderr, /was not signed with this key/);
  assert.equal(running(), first);
  await upgrade(`/root/current/${name}.tar.gz`, 0);
  const { commit } = JSON.parse(readFileSync(join(media, 'current', name, 'release.json'), 'utf8'));
  assert.equal(running(), `${version}-${commit.slice(0, 12)}`);
  console.log('migrations of the former release and of this one:', versions, versionsIn(machine));
  const { acknowledged, received, registrations } = await load.stop();
  // A restored backup ends all queues, and only a way back from a migration restores it.
  const restored = readdirSync(join(machine, 'var/lib/engawa/backups')).filter((folder) => folder.startsWith('failed-upgrade-'));
  assert.equal(registrations, 1 + restored.length);
  assert.equal(restored.length, isDeepStrictEqual(versions, versionsIn(machine)) ? 0 : 1);
  const stored = await storedTexts(address, key);
  for (const [texts, words] of [
    [stored, 'stored'],
    [received, 'received'],
  ]) {
    assert.deepEqual(
      [...acknowledged].filter((text) => !texts.has(text)),
      [],
      `acknowledged but not ${words}`,
    );
  }
  console.log(
    `${acknowledged.size} messages were acknowledged during the upgrades. All are stored, and a client that registered ${registrations} times received all.`,
  );

  console.log(succeed('/usr/local/bin/engawa', 'uninstall'));
  assert.ok(existsSync(join(machine, 'var/lib/engawa/chat/chat.db')));
  assert.ok(!existsSync(join(machine, 'opt/engawa')) && !existsSync(join(machine, 'etc/systemd/system/engawa.service')));
  succeed(`/root/current/${name}/engawa`, 'install');
  await healthy();
  assert.deepEqual(await storedTexts(address, key), stored);
  succeed('/usr/local/bin/engawa', 'uninstall', '--data');
  assert.ok(!existsSync(join(machine, 'var/lib/engawa')) && !existsSync(join(machine, 'etc/engawa')));
  assert.doesNotMatch(readFileSync(join(machine, 'etc/passwd'), 'utf8'), /engawa/);
}

/** Clones the commit, installs the packages of its lock file, and builds its archive. @returns the path of the archive */
function buildArchive(commit) {
  const clone = join(scratch, 'clone');
  const at = execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], { cwd: repository, encoding: 'utf8' }).trim();
  execFileSync('git', ['clone', '--quiet', '--no-checkout', repository, clone]);
  execFileSync('git', ['checkout', '--quiet', at], { cwd: clone });
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: clone, stdio: 'inherit' });
  // npm runs the script in the clone, where a relative path would name another file.
  const env = { ...process.env, RELEASE_KEY: resolve(process.env.RELEASE_KEY) };
  execFileSync('npm', ['run', '--silent', 'release', '--', platform], { cwd: clone, stdio: 'inherit', env });
  const folder = join(clone, 'dist/release');
  return join(
    folder,
    readdirSync(folder).find((file) => file.endsWith(`${platform}.tar.gz`)),
  );
}

/** The number of the last migration of each database. */
function versionsIn(machine) {
  const data = join(machine, 'var/lib/engawa');
  return Object.fromEntries(
    ['engawa.db', 'chat/chat.db'].map((file) => {
      const database = new DatabaseSync(join(data, file), { readOnly: true });
      const { user_version: number } = database.prepare('PRAGMA user_version').get();
      database.close();
      return [file, number];
    }),
  );
}

/** A root file system with glibc and some programs of BusyBox. */
function makeRoot(folder, applets) {
  const made = join(scratch, folder);
  for (const part of ['bin', 'lib64', 'lib', 'etc', 'proc', 'dev', 'tmp', 'root', 'run', 'usr/local/bin']) {
    mkdirSync(join(made, part), { recursive: true });
  }
  cpSync('/bin/busybox', join(made, 'bin/busybox'));
  for (const applet of applets) symlinkSync('busybox', join(made, 'bin', applet));
  const [loader] = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/lib\S*\/ld-linux\S+/);
  copyFileSync(loader, join(made, loader));
  chmodSync(join(made, loader), 0o755);
  for (const [, library, path] of execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(
    /(lib(?:c|m|dl|pthread)\.so\S+) => (\S+)/g,
  )) {
    copyFileSync(path, join(made, 'lib', library));
  }
  for (const [type, target] of [
    ['proc', 'proc'],
    ['tmpfs', 'tmp'],
  ])
    mount(['-t', type, type], join(made, target));
  for (const [device, minor] of Object.entries({ null: '3', urandom: '9' })) {
    execFileSync('mknod', ['-m', '666', join(made, 'dev', device), 'c', '1', minor]);
  }
  writeFileSync(join(made, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(made, 'etc/group'), 'root:x:0:\n');
  return made;
}

function mount(words, target) {
  execFileSync('mount', [...words, target]);
  mounts.push(target);
}

/** Programs that manage users and services, which a system with systemd has too. */
function addStandIns(machine) {
  const scripts = {
    useradd: 'echo "engawa:x:990:990::/var/lib/engawa:/bin/false" >> /etc/passwd; echo "engawa:x:990:" >> /etc/group',
    userdel: 'sed -i /^engawa:/d /etc/passwd /etc/group',
    runuser: 'shift 3; exec /bin/asuser --userspec=990:990 --skip-chdir / "$@"',
    systemctl: `
pid=/run/engawa.pid
start() {
  program=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/engawa.service)
  ( set -a; . /etc/engawa/engawa.env; cd /var/lib/engawa; exec runuser -u engawa -- $program ) </dev/null >/root/journal 2>&1 &
  echo $! > $pid
}
stop() {
  [ -f $pid ] || return 0
  kill "$(cat $pid)" 2>/dev/null
  while [ -e "/proc/$(cat $pid)/exe" ]; do sleep 0.1; done
  rm $pid
}
case $1 in
  enable | start) start ;;
  disable | stop) stop ;;
  is-failed) ! [ -e "/proc/$(cat $pid)/exe" ] ;;
esac`,
  };
  copyFileSync('/usr/sbin/chroot', join(machine, 'bin/asuser'));
  for (const [program, script] of Object.entries(scripts)) {
    writeFileSync(join(machine, 'bin', program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(machine, 'bin', program), 0o755);
  }
}

/** Signs a changed copy of the archive. @returns its path in the root file system. */
function makeArchive(media, folder, commit, change) {
  const copy = join(scratch, folder, name);
  cpSync(join(media, 'current', name), copy, { recursive: true });
  const description = JSON.parse(readFileSync(join(copy, 'release.json'), 'utf8'));
  writeFileSync(join(copy, 'release.json'), JSON.stringify({ ...description, commit }));
  change(copy);
  const target = join(media, folder);
  mkdirSync(target);
  execFileSync('tar', ['-I', 'gzip -1', '-cf', join(target, `${name}.tar.gz`), '-C', join(scratch, folder), name]);
  const sum = createHash('sha256')
    .update(readFileSync(join(target, `${name}.tar.gz`)))
    .digest('hex');
  const sums = `${sum}  ${name}.tar.gz\n`;
  const key = createPrivateKey(readFileSync(process.env.RELEASE_KEY));
  writeFileSync(join(target, 'SHA256SUMS'), sums);
  writeFileSync(join(target, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key).toString('base64'));
  return join('/root', basename(target), `${name}.tar.gz`);
}

function runAsync(machine, ...words) {
  const child = spawn('/usr/sbin/chroot', [machine, ...words], {
    env: { PATH: '/usr/local/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

function timed(work) {
  const begun = Date.now();
  return { result: work(), seconds: secondsSince(begun) };
}

async function timedAsync(work) {
  const begun = Date.now();
  return { result: await work(), seconds: secondsSince(begun) };
}

function secondsSince(begun) {
  return ((Date.now() - begun) / 1000).toFixed(1);
}

async function createOrganisation(code) {
  const { organisation, name: fullName, email, password } = owner;
  const made = await fetch(`${address}/api/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: address },
    body: JSON.stringify({ code, organisation, name: fullName, email, password }),
  });
  assert.equal(made.status, 200, await made.text());
  const answer = await fetch(`${address}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password }),
  });
  const { api_key: key } = await answer.json();
  return `Basic ${btoa(`${email}:${key}`)}`;
}

async function healthy() {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await fetch(`${address}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(100);
  }
  throw new Error('Engawa did not become healthy within a minute');
}
