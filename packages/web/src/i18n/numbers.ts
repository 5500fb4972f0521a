export const japaneseNumber = new Intl.NumberFormat('ja-JP');
export const englishNumber = new Intl.NumberFormat('en-GB');

export function counted(count: number, one: string, many: string): string {
  return `${englishNumber.format(count)} ${count === 1 ? one : many}`;
}
