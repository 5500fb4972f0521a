import type { StatusSeries } from '@engawa/protocol/administration';

/** The drawing's own units; the chart is stretched to its place. */
export const chartSize = { width: 240, height: 56 } as const;

/**
 * The line through the values, which is interrupted where values are missing.
 * @param span the seconds from the left edge to the right one, which is the newest time.
 */
export function chartPath({ times, every }: StatusSeries, values: readonly (number | null)[], span: number): string {
  const newest = times.at(-1) ?? 0;
  const most = Math.max(...values.map((value) => value ?? 0), 1);
  let before: number | undefined;
  return times
    .flatMap((time, index) => {
      const value = values[index] ?? null;
      if (value === null) return [];
      const x = chartSize.width * (1 - (newest - time) / span);
      const y = chartSize.height * (1 - value / most);
      const continues = before !== undefined && time - before <= 2 * every;
      before = time;
      // A lone value would be invisible without a length.
      return `${continues ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}${continues ? '' : 'h0.5'}`;
    })
    .join('');
}
