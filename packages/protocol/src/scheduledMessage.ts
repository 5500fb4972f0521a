import { z } from 'zod/mini';

/** A message that the server sends later. */
export const scheduledMessage = z.object({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  /** A stream's id, or user ids. */
  to: z.union([z.int(), z.array(z.int())]),
  /** Absent in direct messages. */
  topic: z.optional(z.string()),
  content: z.string(),
  rendered_content: z.string(),
  /** Unix seconds. */
  scheduled_delivery_timestamp: z.int(),
  /** Whether the server has tried to send it in vain. */
  failed: z.boolean(),
});
export type ScheduledMessage = z.output<typeof scheduledMessage>;
