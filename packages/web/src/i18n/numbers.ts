export const japaneseNumber = numberIn('ja-JP');
export const englishNumber = numberIn('en-GB');

/** Ends of groups of three digits. */
const groups = /\B(?=(?:\d{3})+$)/g;

/** Only a fraction or a sign needs a formatter. Creating the first one delays the first message. */
function numberIn(tag: string): { format(value: number): string } {
  let formatter: Intl.NumberFormat | undefined;
  return {
    format(value) {
      if (Number.isSafeInteger(value) && value >= 0) return String(value).replaceAll(groups, ',');
      formatter ??= new Intl.NumberFormat(tag);
      return formatter.format(value);
    },
  };
}

export function counted(count: number, one: string, many: string): string {
  return `${englishNumber.format(count)} ${count === 1 ? one : many}`;
}
