import { z } from 'zod';

export const idParameter = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

export const withId = z.object({ id: idParameter });
