import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './fingerprint.mjs';

/** Megabytes: 130 are usual; 900 if the process that serves has built before. `npm run bench -- start` has the exact limit. */
const most = 250;

/** A copy of the project without builds. An empty program replaces Vite, which always ran in a separate process. */
function unbuiltCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'engawa-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const name of ['packages/web', 'scripts/node_modules/vite/bin']) mkdirSync(join(copy, name), { recursive: true });
  for (const name of ['node_modules', 'packages/server', 'packages/chat-server']) symlinkSync(join(root, name), join(copy, name));
  copyPrograms(copy);
  writeFileSync(join(copy, 'scripts/node_modules/vite/package.json'), '{}');
  writeFileSync(join(copy, 'scripts/node_modules/vite/bin/vite.js'), '');
  return copy;
}

function copyPrograms(copy: string): void {
  for (const name of ['start', 'withNode', 'build', 'bundle', 'fingerprint']) {
    cpSync(join(root, `scripts/${name}.mjs`), join(copy, `scripts/${name}.mjs`));
  }
}

/** The Node of the system, if it is older than the one that the product needs. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return /^v2[0-3]\./.test(stdout ?? '');
});

it.for([
  ['with the Node that the product runs on', process.execPath],
  ['with an older Node of the system', oldNode],
])('`node scripts/build.mjs` before `npm ci` says what is missing and fails: %s', ([, node], { skip }) => {
  if (node === undefined) return skip('This system has no Node 20 to 23.');
  const copy = mkdtempSync(join(tmpdir(), 'engawa-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  copyPrograms(copy);
  const { status, stderr } = spawnSync(node, ['scripts/build.mjs'], { cwd: copy, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('Run npm ci first.')]);
});

it('`node scripts/build.mjs` builds with the Node of the project, even if an older Node of the system starts it', ({ skip }) => {
  if (oldNode === undefined) return skip('This system has no Node 20 to 23.');
  const { status, stdout, stderr } = spawnSync(oldNode, ['scripts/build.mjs'], { cwd: unbuiltCopy(), encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining('サーバー / server …'), '']);
});

it.runIf(process.platform === 'linux')('`npm start` that had to build serves without the memory of the build', async () => {
  const copy = unbuiltCopy();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: copy,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', AUTH_MODE: 'fake', DATA_DIR: join(copy, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect.poll(() => output).toContain('Engawa is open');
  expect(output).toContain('サーバー / server …');
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  expect(Number(kilobytes) / 1000).toBeLessThan(most);
});
