import { z } from 'zod';
import { refused } from './errors.ts';

export const idParameter = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

export const withId = z.object({ id: idParameter });

export function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw refused.bodyMalformed(parsed.error);
  return parsed.data;
}
