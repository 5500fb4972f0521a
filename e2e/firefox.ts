/** Debian's Firefox, for the tests that also run in it. */
import { existsSync } from 'node:fs';
import type { TestInfo } from '@playwright/test';
import { type Browser, launch } from 'puppeteer-core';

const firefoxPath = '/usr/bin/firefox-esr';

/** Skips the test where there is no Firefox. */
export async function openFirefox(testInfo: TestInfo, preferences: Readonly<Record<string, unknown>> = {}): Promise<Browser> {
  if (!existsSync(firefoxPath)) {
    console.log(`There is no ${firefoxPath}, so nothing is tried in Firefox.`);
    testInfo.skip();
  }
  return launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    extraPrefsFirefox: { 'intl.accept_languages': 'ja', ...preferences },
    defaultViewport: { width: 1440, height: 900 },
  });
}

export const text = (words: string): string => `::-p-text(${words})`;
export const button = (name: string): string => `::-p-aria([name="${name}"][role="button"])`;
