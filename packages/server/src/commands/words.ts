const units = ['B', 'K', 'M', 'G', 'T'] as const;

/** Bytes as people read them, as on the screens: 1536 is `1.5 K`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
