import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { refused } from '../http/errors.ts';

/** What a call's JSON says. @throws RefusedError when it is not of its form. */
export function bodyOf<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const parsed = schema.safeParse(request.body);
  if (!parsed.success) throw refused.bodyMalformed(parsed.error);
  return parsed.data;
}
