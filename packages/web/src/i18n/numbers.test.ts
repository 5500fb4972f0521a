import { expect, it } from 'vitest';
import { englishNumber, japaneseNumber } from './numbers.ts';

it.each([
  ['ja-JP', japaneseNumber],
  ['en-GB', englishNumber],
])('Numbers in %s are written as the browser writes them', (tag, number) => {
  const browser = new Intl.NumberFormat(tag);
  for (const value of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 9_007_199_254_740_991, 1.5, 12_345.678, -1, -1234, 1e21]) {
    expect(number.format(value)).toBe(browser.format(value));
  }
});
