import type { TestProject } from 'vitest/node';
import { buildServer } from './build.mjs';

/** Before all tests, and before they run again. */
export default async function setup(project: TestProject): Promise<void> {
  await buildServer();
  project.onTestsRerun(buildServer);
}
