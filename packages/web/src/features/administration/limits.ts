/** The offered time limits in seconds. Null means without limit. */
export const offeredLimits = [null, 600, 3600, 86_400, 604_800] as const;

export function limitsWith(current: number | null): readonly (number | null)[] {
  const others: readonly (number | null)[] = offeredLimits;
  return others.includes(current) ? others : [...others, current].toSorted((one, other) => (one ?? 0) - (other ?? 0));
}

export type Duration = { readonly unit: 'days' | 'hours' | 'minutes' | 'seconds'; readonly count: number };

export function durationOf(seconds: number): Duration {
  if (seconds % 86_400 === 0) return { unit: 'days', count: seconds / 86_400 };
  if (seconds % 3600 === 0) return { unit: 'hours', count: seconds / 3600 };
  if (seconds % 60 === 0) return { unit: 'minutes', count: seconds / 60 };
  return { unit: 'seconds', count: seconds };
}
