// Finds a Chromium for the browser tests, or gets one, or says the one line to type; and finds one without windows, if there is one.
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

/** @returns {string | undefined} the path of a Chromium that has no windows; what needs none is cheaper there */
export function findHeadlessShell() {
  const named = process.env.HEADLESS_SHELL_PATH;
  if (named) {
    if (existsSync(named)) return named;
    fail(`HEADLESS_SHELL_PATH names ${named}, where there is nothing.`);
  }
  // Who names a browser wants that one.
  if (process.env.CHROMIUM_PATH) return undefined;
  return existsSync(shellPlace) ? shellPlace : undefined;
}

function find() {
  return [...places, chromium.executablePath()].find((place) => place && existsSync(place));
}

function get() {
  if (process.getuid?.() === 0 && isDebian()) {
    console.log("No Chromium here: installing Debian's package.");
    install('chromium', 'fonts-noto-cjk', 'fonts-noto-color-emoji');
    // By itself, for not every Debian has it.
    install('chromium-headless-shell');
  } else {
    console.log("No Chromium here: getting Playwright's own.");
    run('playwright', ['install', 'chromium']);
  }
  return find();
}

function install(...packages) {
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
