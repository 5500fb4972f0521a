import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildServer } from './build.mjs';

/** Runs before all tests. @returns The clean-up after all tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  buildServer();
  project.onTestsRerun(buildServer);
  // One directory for all temporary files, which is removed even if test processes are killed.
  const directory = mkdtempSync(join(temporaryDirectory(), 'engawa-tests-'));
  // Others may pass through it, because some tests run a server as the user `nobody` in a directory inside.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}

const memory = '/dev/shm';
/** Bytes: several times of what a whole run uses at once. */
const enough = 2 * 1024 ** 3;

/**
 * A directory in memory, unless TMPDIR is set: the tests create more than a thousand databases, and waiting for the disk
 * would take most of their time. No test can check that data survives a power cut.
 */
function temporaryDirectory(): string {
  if (process.env['TMPDIR']) return tmpdir();
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough ? memory : tmpdir();
  } catch {
    // This system has no /dev/shm.
    return tmpdir();
  }
}
