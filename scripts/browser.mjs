// Finds a Chromium for the browser tests, or gets one, or says the one line to type; and the same without a window, if there is one.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @returns {string} the path of a Chromium that can be started */
export function findOrGetBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (existsSync(named)) return named;
    fail(`CHROMIUM_PATH names ${named}, where there is nothing.`);
  }
  return find() ?? get() ?? fail('No Chromium was found and none could be installed. Type: npx playwright install chromium');
}

const shellPlace = '/usr/bin/chromium-headless-shell';

/** @returns {string | undefined} the path of a Chromium that has no window; what needs none is cheaper there */
export function findOrGetHeadlessShell() {
  const named = process.env.HEADLESS_SHELL_PATH;
  if (named) {
    if (existsSync(named)) return named;
    fail(`HEADLESS_SHELL_PATH names ${named}, where there is nothing.`);
  }
  if (!existsSync(shellPlace) && mayInstall()) install('chromium-headless-shell');
  return existsSync(shellPlace) ? shellPlace : undefined;
}

function find() {
  return [...places, chromium.executablePath()].find((place) => place && existsSync(place));
}

function get() {
  if (mayInstall()) {
    console.log("No Chromium here: installing Debian's package.");
    install('chromium', 'chromium-headless-shell', 'fonts-noto-cjk', 'fonts-noto-color-emoji');
  } else {
    console.log("No Chromium here: getting Playwright's own.");
    run('playwright', ['install', 'chromium']);
  }
  return find();
}

function mayInstall() {
  return process.getuid?.() === 0 && isDebian();
}

function install(...packages) {
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

function isDebian() {
  return existsSync('/etc/os-release') && /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function run(command, parameters) {
  spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
