import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const tests = ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'];
/** Tests that mock modules, globals or timers, or that measure memory. */
const isolated = ['packages/*/src/**/*.isolated.test.{ts,tsx}'];
/** Tests of components and of code that uses the page, without a browser. */
const dom = ['packages/web/src/**/*.dom.test.{ts,tsx}'];

export default defineConfig({
  test: {
    globalSetup: 'scripts/testRun.ts',
    setupFiles: 'scripts/waitFor.ts',
    // Timeouts only end tests that hang: none measures speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    // Tests sometimes wait for a server process, so one worker more than processors.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'dom',
          include: dom,
          environment: './packages/web/test/domEnvironment.ts',
          setupFiles: ['scripts/waitFor.ts', './packages/web/test/findBy.ts'],
        },
      },
      // Most files share a few processes: starting one and loading the packages takes longer than the tests of most files.
      { extends: true, test: { name: 'shared', include: tests, exclude: [...isolated, ...dom], isolate: false } },
    ],
  },
});
