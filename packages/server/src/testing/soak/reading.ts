import { z } from 'zod';

/** What a process uses when everything that can be let go of is gone. */
export const reading = z.object({
  /** Bytes of JavaScript, and of what it holds outside of its heap. */
  heap: z.number(),
  /** Bytes. */
  rss: z.number(),
  /** Open files and sockets. */
  files: z.number(),
  timers: z.number(),
  /** Whatever else keeps the process alive. */
  others: z.number(),
  /** Milliseconds that the event loop was late, since the reading before. */
  delayP50: z.number(),
  delayP99: z.number(),
});
export type Reading = z.output<typeof reading>;

/** How much of each may be more at the end of the rounds than at their beginning, by the line through all of them. */
const mayGrow = {
  // The tables of who may call how often, prepared statements and compiled code settle late: one round's messages would be
  // several times as much.
  heap: 1_500_000,
  // A client keeps a few connections open, or one less.
  files: 6,
  timers: 4,
  others: 6,
} as const satisfies Partial<Record<keyof Reading, number>>;

/** How much a quantity rises from the first of its values to the last, by the line that lies nearest to them. */
export function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const slope =
    values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) /
    values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return slope * (values.length - 1);
}

/** What is not flat, in words; nothing where all is. */
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
