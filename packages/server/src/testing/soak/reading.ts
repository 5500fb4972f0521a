import { z } from 'zod';

export const reading = z.object({
  /** Bytes of the JavaScript heap and of external memory. */
  heap: z.number(),
  rss: z.number(),
  files: z.number(),
  timers: z.number(),
  /** Other handles that keep the process alive. */
  others: z.number(),
  /** The event loop's delay since the last reading, in milliseconds. */
  delayP50: z.number(),
  delayP99: z.number(),
});
export type Reading = z.output<typeof reading>;

/** The growth allowed over all rounds, by linear regression. */
const mayGrow = {
  // Rate limits, prepared statements and compiled code settle late. The messages of one round would be several times as
  // much.
  heap: 1_500_000,
  // A client may keep one connection more or less open.
  files: 6,
  timers: 4,
  others: 6,
} as const satisfies Partial<Record<keyof Reading, number>>;

/** The growth from the first to the last value, by linear regression. */
export function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const slope =
    values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) /
    values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return slope * (values.length - 1);
}

/** Describes the quantities that grow; empty if all are flat. */
export function growths(readings: readonly Reading[]): readonly string[] {
  return Object.entries(mayGrow).flatMap(([name, most]) => {
    const values = readings.map((each) => each[nameOf(name)]);
    const rise = riseOf(values);
    return rise > most
      ? [`${name} rose by ${Math.round(rise)} in ${values.length} rounds, and may rise by ${most}: ${values.join(', ')}`]
      : [];
  });
}

const nameOf = (name: string): keyof Reading => reading.keyof().parse(name);
