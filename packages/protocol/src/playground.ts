import { z } from 'zod/mini';

export const playground = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  /** RFC 6570 with the variable `code`. */
  url_template: z.string(),
});
export type Playground = z.output<typeof playground>;
