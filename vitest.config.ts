import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const tests = ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'];

/**
 * What a file does to its process that others would feel: it puts something else in the place of what all share, or
 * weighs the memory of them all, or brings a package that does (zulip-js: another `fetch` and `FormData`).
 * `scripts/sharedProcess.ts` sees to it that no other file does.
 */
const needsOwnProcess =
  /\bvi\.(mock|doMock|resetModules|stubGlobal|stubEnv|spyOn|useFakeTimers)\b|\busedMemory\b|from 'zulip-js'/;

const alone = globSync(tests, { cwd: import.meta.dirname }).filter((file) =>
  needsOwnProcess.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

export default defineConfig({
  test: {
    globalSetup: 'scripts/testRun.ts',
    // They are there for what would wait for ever: none is a measure of anything, so all have room for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    // Of `vi.waitFor`, which has no setting, see there.
    setupFiles: 'scripts/patience.ts',
    expect: { poll: { timeout: 30_000, interval: 10 } },
    // One more than there are processors: servers of their own are waited for now and then.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // To begin a process and to read all the rooms into it takes longer than most files' tests: once, not 230 times.
      {
        extends: true,
        test: {
          name: 'together',
          include: tests,
          exclude: alone,
          isolate: false,
          setupFiles: ['scripts/patience.ts', 'scripts/sharedProcess.ts'],
        },
      },
    ],
  },
});
