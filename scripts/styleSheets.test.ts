import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { breakpoint } from '../packages/web/src/model/constants.ts';

const screens = resolve(import.meta.dirname, '../packages/web/src');

it('[R9.6, R2.21] The style sheets change the layout only at the one breakpoint', () => {
  const sheets = globSync('**/*.css', { cwd: screens }).map((path) => readFileSync(resolve(screens, path), 'utf8'));
  const widths = sheets.flatMap((sheet) => [...sheet.matchAll(/@media[^{]*width\s*[<>]=?\s*(\d+)px/g)]);
  expect(new Set(widths.map(([, width]) => Number(width)))).toEqual(new Set([breakpoint]));
});
