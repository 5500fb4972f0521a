/** systemd reads the unit of `engawa install` and the one of the operator's guide. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { examplesOf } from '../testing/guide.ts';
import { unitText } from './files.ts';
import { layoutIn } from './layout.ts';

const program = '/usr/bin/systemd-analyze';
const missing = existsSync(program) ? undefined : `${program} is not installed (apt-get install systemd)`;

const installed = unitText(layoutIn('/'));
const [ofGuide = ''] = examplesOf('ini');

function analyse(unit: string, ...words: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-unit-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'engawa.service');
  // The installed program is not on this machine.
  writeFileSync(file, unit.replace(/(?<=^ExecStart=)\S+/m, process.execPath));
  const { status, stdout, stderr } = spawnSync(program, [...words, file], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

it.for([
  ['of `engawa install`', installed],
  ['of the guide, for an installation from the sources', ofGuide],
] as const)('systemd accepts every line of the unit %s', ([, unit], { skip }) => {
  if (missing !== undefined) return skip(missing);
  expect(analyse(unit, 'verify', '--man=no')).toEqual({ status: 0, said: '' });
});

it('systemd judges the unit of `engawa install` as hardened', ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  // 20 of 100 is the limit for "OK"; without hardening it would be 95.
  const { status, said } = analyse(installed, 'security', '--offline=true', '--no-pager', '--threshold=20');
  expect([status, said]).toEqual([0, expect.stringContaining('Overall exposure level')]);
});
