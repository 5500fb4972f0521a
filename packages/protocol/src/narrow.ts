import { z } from 'zod';

export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated: boolean;
}

const operator = z.string().max(100);
const operand = z.union([z.string().max(1000), z.int(), z.array(z.int()).max(1000)]);

const term = z.union([
  z.object({ operator, operand, negated: z.boolean().default(false) }),
  // The older form of a term is a pair, which some clients still send.
  z.tuple([operator, operand]).transform(([name, value]) => ({ operator: name, operand: value, negated: false })),
]);

export const narrow = z.array(term).max(100);
