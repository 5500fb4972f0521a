// Builds what is stale, finds a browser, and runs the tests that need one.
import { spawnSync } from 'node:child_process';
import { findOrGetBrowser, findHeadlessShell } from './browser.mjs';

const env = { ...process.env, CHROMIUM_PATH: findOrGetBrowser(), HEADLESS_SHELL_PATH: findHeadlessShell() };
const steps = [
  ['node', ['scripts/build.mjs']],
  ['playwright', ['test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)]],
];
for (const [command, parameters] of steps) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
