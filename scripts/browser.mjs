// Finds or installs a Chromium for the browser tests, and finds a headless shell.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const knownPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function findOrInstallBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (existsSync(named)) return named;
    fail(`CHROMIUM_PATH names ${named}, which does not exist.`);
  }
  return find() ?? install() ?? fail('No Chromium was found and none could be installed. Type: npx playwright install chromium');
}

const shellPath = '/usr/bin/chromium-headless-shell';

/** A headless shell runs the pages with two thirds of the work. */
export function findHeadlessShell() {
  const named = process.env.HEADLESS_SHELL_PATH;
  if (named) {
    if (existsSync(named)) return named;
    fail(`HEADLESS_SHELL_PATH names ${named}, which does not exist.`);
  }
  // A named browser runs all tests.
  if (process.env.CHROMIUM_PATH) return undefined;
  return existsSync(shellPath) ? shellPath : undefined;
}

function find() {
  return [...knownPaths, chromium.executablePath()].find((path) => path && existsSync(path));
}

function install() {
  if (process.getuid?.() === 0 && isDebian()) {
    console.log("No Chromium here: installing Debian's package.");
    installPackages('chromium', 'fonts-noto-cjk', 'fonts-noto-color-emoji');
    // A separate call, because not every Debian has this package.
    installPackages('chromium-headless-shell');
  } else {
    console.log("No Chromium here: installing Playwright's.");
    run('playwright', ['install', 'chromium']);
  }
  return find();
}

function installPackages(...packages) {
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

function isDebian() {
  return existsSync('/etc/os-release') && /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function run(command, parameters) {
  spawnSync(command, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
