// Builds what is stale, finds a browser, and runs the browser tests.
import { spawnSync } from 'node:child_process';
import { findOrInstallBrowser, findHeadlessShell } from './browser.mjs';

const chosen = process.argv.slice(2);
const env = {
  ...process.env,
  CHROMIUM_PATH: findOrInstallBrowser(),
  HEADLESS_SHELL_PATH: findHeadlessShell(),
  WHOLE_RUN: chosen.length === 0 ? 'yes' : '',
};
const steps = [
  ['node', ['scripts/build.mjs']],
  ['playwright', ['test', '--config', 'e2e/playwright.config.ts', ...chosen]],
];
for (const [command, parameters] of steps) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
