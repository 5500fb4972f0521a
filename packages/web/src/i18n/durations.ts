import { counted, japaneseNumber } from './numbers.ts';

/** Durations of 100 seconds and more are shown in minutes. */
function rounded(seconds: number): { readonly count: number; readonly unit: 'second' | 'minute' } {
  return seconds < 100 ? { count: Math.ceil(seconds), unit: 'second' } : { count: Math.ceil(seconds / 60), unit: 'minute' };
}

export function japaneseDuration(seconds: number): string {
  const { count, unit } = rounded(seconds);
  return `${japaneseNumber.format(count)} ${unit === 'second' ? '秒' : '分'}`;
}

export function englishDuration(seconds: number): string {
  const { count, unit } = rounded(seconds);
  return counted(count, unit, `${unit}s`);
}
