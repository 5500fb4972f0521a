/** What makes a page inaccessible, as far as a machine can tell (WCAG 2.2 AA). */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// Two thousand emoji are all made alike: the first row of each category stands for the others.
const repeatedEmoji = 'fieldset > div:nth-of-type(n+2)';

/**
 * Each is the rule that is broken, the element that breaks it, and how. Where a dialog is modal nothing behind it can be
 * used: that is looked at where no dialog is open.
 *
 * `AxeBuilder` would hand the page all of axe before every look, and fetch what is in order too: three times the work.
 */
export async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await bringAxe(page);
  const options: RunOptions = {
    runOnly: rules === 'all' ? { type: 'tag', values: levels } : { type: 'rule', values: ['color-contrast'] },
    resultTypes: ['violations'],
  };
  // As an expression, for `axe` is a name of the page alone.
  return page.evaluate<string[]>(`(() => {
    const modal = Array.from(document.querySelectorAll('dialog:modal'));
    const context = { include: modal.length > 0 ? modal : [document], exclude: [[${JSON.stringify(repeatedEmoji)}]] };
    return axe.run(context, ${JSON.stringify(options)});
  })().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}

/** As a script of its own, which the browser compiles once for all pages of a process; `page.evaluate` has it compiled for each. */
async function bringAxe(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const { exceptionDetails } = await devTools.send('Runtime.evaluate', { expression: axe, silent: true });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
}
