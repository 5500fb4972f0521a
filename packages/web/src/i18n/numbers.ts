export const japaneseNumber = numberIn('ja-JP');
export const englishNumber = numberIn('en-GB');

/** The formatter is created for a number that needs it: the first one costs the browser more than the first message. */
function numberIn(tag: string): { format(value: number): string } {
  let formatter: Intl.NumberFormat | undefined;
  return {
    format(value) {
      if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
      formatter ??= new Intl.NumberFormat(tag);
      return formatter.format(value);
    },
  };
}

export function counted(count: number, one: string, many: string): string {
  return `${englishNumber.format(count)} ${count === 1 ? one : many}`;
}
