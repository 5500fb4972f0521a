import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { screens } from './screens.ts';

/** Fails a whole run that has not checked every screen. */
export default class ScreensReporter implements Reporter {
  readonly #unchecked = new Set<string>(screens);

  onTestEnd(_: TestCase, { annotations }: TestResult): void {
    for (const { type, description = '' } of annotations) if (type === 'screen') this.#unchecked.delete(description);
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] }> {
    if (!process.env['WHOLE_RUN'] || status !== 'passed' || this.#unchecked.size === 0) return { status };
    process.stderr.write(`No test has checked these screens: ${[...this.#unchecked].join('; ')}\n`);
    return { status: 'failed' };
  }
}
