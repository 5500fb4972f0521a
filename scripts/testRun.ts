import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildServer } from './build.mjs';

/** Before all tests, and before they run again. @returns what is to be done after all of them. */
export default async function setup(project: TestProject): Promise<() => void> {
  await buildServer();
  project.onTestsRerun(buildServer);
  // What the tests put down for a while is in one place, and gone after them whatever becomes of their processes.
  const directory = mkdtempSync(join(placeOfFiles(), 'engawa-tests-'));
  // A server that runs as nobody comes to what is its own in it.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}

const memory = '/dev/shm';
/** Bytes: several times of what a whole run puts down at once. */
const enough = 2 * 1024 ** 3;

/**
 * Where no TMPDIR says otherwise, files in memory: more than a thousand databases are made, each with its own, and to
 * wait for the disk would be most of it. That they outlast a power cut is nothing that a test could see in either place.
 */
function placeOfFiles(): string {
  if (process.env['TMPDIR']) return tmpdir();
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough ? memory : tmpdir();
  } catch {
    // There is none on this system.
    return tmpdir();
  }
}
