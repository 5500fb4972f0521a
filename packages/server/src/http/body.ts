import type { z } from 'zod';
import { refused } from './errors.ts';

export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refused.bodyMalformed(parsed.error);
  return parsed.data;
}
