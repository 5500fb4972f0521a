/** R9.4: base 1024 with one decimal. A size that would round up to 1024.0 uses the next unit. */
export function fileSize(bytes: number): string {
  return inUnit(bytes, 'B', 'K', 'M', 'G', 'T');
}

function inUnit(value: number, unit: string, ...larger: readonly string[]): string {
  const shown = value.toFixed(1);
  const [next, ...rest] = larger;
  return next === undefined || Number(shown) < 1024 ? `${shown} ${unit}` : inUnit(value / 1024, next, ...rest);
}
