import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commandText } from './files.ts';
import { layoutIn } from './layout.ts';

it('The installed command tells a user who may not read the settings to use sudo', () => {
  const root = mkdtempSync(join(tmpdir(), 'engawa-command-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  chmodSync(root, 0o755);
  const layout = layoutIn(root);
  mkdirSync(layout.settingsFolder, { recursive: true });
  writeFileSync(layout.settings, '', { mode: 0 });
  const command = join(root, 'engawa');
  writeFileSync(command, commandText(layout));
  // Root can read a file of mode 0.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { status, stdout, stderr } = spawnSync('/bin/sh', [command, 'doctor', '--json'], { encoding: 'utf8', ...nobody });
  expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('Run this as root: sudo engawa doctor --json')]);
});
