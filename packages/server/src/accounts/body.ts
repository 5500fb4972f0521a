import { parameterError } from '@engawa/protocol';
import { z } from 'zod';
import { refused } from '../http/errors.ts';

const fields = z.record(z.string(), z.unknown());

/** @throws RefusedError PASSWORD_TOO_WEAK for `password`, LINK_NOT_VALID for `token`; ParameterError for any other field. */
export function parseBody<Schema extends z.core.$ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  const given = fields.safeParse(body).data ?? {};
  const field = String(parsed.error.issues[0]?.path[0] ?? 'body');
  const value = given[field];
  if (value === undefined) throw parameterError.missing(field);
  // A ParameterError repeats the value in the answer, and a token is secret.
  if (field === 'token') throw refused.linkNotValid();
  if (field === 'password') throw refused.weakPassword();
  if (field === 'current') throw refused.wrongPassword();
  throw parameterError.invalid(field, typeof value === 'string' && field !== 'code' ? value : '');
}
