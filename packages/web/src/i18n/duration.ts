const japanese = new Intl.NumberFormat('ja-JP');
const english = new Intl.NumberFormat('en-GB');

/** From about two minutes on, minutes say enough. */
function inWhole(seconds: number): { readonly count: number; readonly unit: 'second' | 'minute' } {
  return seconds < 100 ? { count: Math.ceil(seconds), unit: 'second' } : { count: Math.ceil(seconds / 60), unit: 'minute' };
}

export function japaneseDuration(seconds: number): string {
  const { count, unit } = inWhole(seconds);
  return `${japanese.format(count)} ${unit === 'second' ? '秒' : '分'}`;
}

export function englishDuration(seconds: number): string {
  const { count, unit } = inWhole(seconds);
  return `${english.format(count)} ${unit}${count === 1 ? '' : 's'}`;
}
