const units = ['B', 'K', 'M', 'G', 'T'] as const;

/** Formats bytes as the screens do: 1536 is `1.5 K`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}

/** Formats a time in the machine's time zone: 2026年11月23日 19:50 JST. @param time Unix seconds. */
export function timeText(time: number, language: 'ja-JP' | 'en-GB'): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(time * 1000);
}
