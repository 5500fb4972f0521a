import { spawn } from 'node:child_process';
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
  for (const name of ['start', 'withNode', 'build', 'bundle', 'fingerprint']) {
    cpSync(join(root, `scripts/${name}.mjs`), join(copy, `scripts/${name}.mjs`));
  }
  writeFileSync(join(copy, 'scripts/node_modules/vite/package.json'), '{}');
  writeFileSync(join(copy, 'scripts/node_modules/vite/bin/vite.js'), '');
  return copy;
}

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
