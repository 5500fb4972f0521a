/** Accessibility faults that axe finds (WCAG 2.2 AA). */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// Two thousand emoji have the same markup, so one row of each category is enough.
const repeatedEmoji = 'fieldset > div:nth-of-type(n+2)';

/**
 * @returns The broken rule, the element and the reason of each fault. With a modal dialog only the dialog is checked,
 * because nothing behind it can be used. `AxeBuilder` would inject axe before every check and return passed rules too:
 * three times the work.
 */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await bringAxe(page);
  const options: RunOptions = {
    runOnly: rules === 'all' ? { type: 'tag', values: levels } : { type: 'rule', values: ['color-contrast'] },
    resultTypes: ['violations'],
  };
  // A string, because the variable `axe` exists only in the page.
  return page.evaluate<string[]>(`(() => {
    const modal = Array.from(document.querySelectorAll('dialog:modal'));
    const context = { include: modal.length > 0 ? modal : [document], exclude: [[${JSON.stringify(repeatedEmoji)}]] };
    return axe.run(context, ${JSON.stringify(options)});
  })().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}

/** The browser compiles a script once per process, but an argument of `page.evaluate` each time. */
async function bringAxe(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const { exceptionDetails } = await devTools.send('Runtime.evaluate', { expression: axe, silent: true });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
}
