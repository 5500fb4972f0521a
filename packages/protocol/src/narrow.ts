import { z } from 'zod';

export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated: boolean;
}

const operand = z.union([z.string(), z.int(), z.array(z.int())]);

const term = z.union([
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) }),
  // The older form of pairs, which some clients still send.
  z.tuple([z.string(), operand]).transform(([operator, value]) => ({ operator, operand: value, negated: false })),
]);

/** Terms that a message must all fulfil. */
export const narrow = z.array(term).max(100);
