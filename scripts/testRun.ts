import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildServer } from './build.mjs';

/** Before all tests, and before they run again. @returns what is to be done after all of them. */
export default async function setup(project: TestProject): Promise<() => void> {
  await buildServer();
  project.onTestsRerun(buildServer);
  // What the tests put down for a while is in one place, and gone after them whatever becomes of their processes.
  const directory = mkdtempSync(join(tmpdir(), 'engawa-tests-'));
  process.env['TMPDIR'] = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}
