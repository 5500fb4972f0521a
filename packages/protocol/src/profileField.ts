import { z } from 'zod/mini';

/** A field that administrators add to the profiles. `type`: see `profileValueLength`; `field_data`: the choices in JSON, or empty. */
export const profileField = z.object({
  id: z.int(),
  type: z.int(),
  order: z.int(),
  name: z.string(),
  hint: z._default(z.string(), ''),
  field_data: z._default(z.string(), ''),
  display_in_profile_summary: z.optional(z.boolean()),
  required: z.optional(z.boolean()),
  editable_by_user: z.optional(z.boolean()),
});
export type ProfileField = z.output<typeof profileField>;
