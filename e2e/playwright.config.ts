import { defineConfig } from '@playwright/test';

const { CHROMIUM_PATH: chromium, HEADLESS_SHELL_PATH: headlessShell = chromium } = process.env;

/** What only a whole browser has: notifications, and installing. The shell has the same pages for two thirds of the work. */
const inWholeBrowser = /@whole-browser/;

const startedFrom = (executablePath: string | undefined) => ({
  launchOptions: {
    ...(executablePath ? { executablePath } : {}),
    // Under a locale that knows ASCII only, Chromium gives up Japanese file names for `download`.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // As root a sandbox cannot be made; the other switches keep the browser from looking for the outside world.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page lives for seconds: what it calls a few hundred times is not worth compiling again. What axe does is.
      '--js-flags=--invocation-count-for-maglev=2000',
    ],
  },
});

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // Twice the processors that they are measured on: a test waits now and then. Three leave some idle, and take longer.
  workers: 4,
  forbidOnly: true,
  retries: 0,
  // What never comes is given up; what is slow on a busy machine is not.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    // What a service worker fetches no test sees; those that are about it let it in.
    serviceWorkers: 'block',
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    // A film of every step costs a quarter of the time: `--trace retain-on-failure` asks for one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  // The whole browser's tests come first: near the end are the states of accessibility, which any idle worker can take.
  projects: [
    // One worker: another would begin another browser, which takes as long as several tests.
    { name: 'browser', grep: inWholeBrowser, workers: 1, use: startedFrom(chromium) },
    { name: 'shell', grepInvert: inWholeBrowser, use: startedFrom(headlessShell) },
  ],
});
