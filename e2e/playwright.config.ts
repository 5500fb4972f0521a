import { defineConfig } from '@playwright/test';

const { CHROMIUM_PATH: chromium, HEADLESS_SHELL_PATH: headlessShell = chromium } = process.env;

/**
 * Notifications and installing need a whole browser. The headless shell runs the other pages with two thirds of the
 * work.
 */
const inWholeBrowser = /@whole-browser/;

/** Calls need a microphone and a camera. The name stands for another machine, from which http is not a secure context. */
const callSpecs = '10-calls-*.spec.ts';
const fakeDevices = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--host-resolver-rules=MAP engawa.test 127.0.0.1',
];

const startedFrom = (executablePath: string | undefined, switches: readonly string[] = []) => ({
  launchOptions: {
    ...(executablePath ? { executablePath } : {}),
    // Without a UTF-8 locale, Chromium loses Japanese file names of downloads.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // Root cannot create a sandbox; the other switches prevent requests to the outside.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // V8 would optimise functions after a few hundred calls, which does not pay in pages that live for seconds. The
      // functions of axe are called more often, so they are still optimised.
      '--js-flags=--invocation-count-for-maglev=2000',
      ...switches,
    ],
  },
});

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // Twice the processors of the reference machine, because tests often wait. Three workers left processors idle.
  workers: 4,
  forbidOnly: true,
  retries: 0,
  // Long, because it only has to end tests that hang.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./screensReporter.ts']],
  use: {
    viewport: { width: 1440, height: 900 },
    // Tests cannot see requests of a service worker. Only tests about the service worker allow it.
    serviceWorkers: 'block',
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    // Recording traces takes a quarter of the time. `--trace retain-on-failure` switches it on.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // One worker, because starting another browser takes as long as several tests.
    { name: 'browser', grep: inWholeBrowser, workers: 1, use: startedFrom(chromium) },
    { name: 'shell', grepInvert: inWholeBrowser, testIgnore: callSpecs, use: startedFrom(headlessShell) },
    // One worker and last, because sound stops on processors that other browsers keep busy.
    { name: 'calls', testMatch: callSpecs, workers: 1, use: startedFrom(headlessShell, fakeDevices) },
  ],
});
