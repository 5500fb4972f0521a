import { z } from 'zod/mini';

export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated: boolean;
}

const operator = z.string().check(z.maxLength(100));
const operand = z.union([z.string().check(z.maxLength(1000)), z.int(), z.array(z.int()).check(z.maxLength(1000))]);

const term = z.union([
  z.object({ operator, operand, negated: z._default(z.boolean(), false) }),
  // The older form of a term is a pair, which some clients still send.
  z.pipe(
    z.tuple([operator, operand]),
    z.transform(([name, value]) => ({ operator: name, operand: value, negated: false })),
  ),
]);

export const narrow = z.array(term).check(z.maxLength(100));
