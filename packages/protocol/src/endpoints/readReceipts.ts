import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';

/** https://zulip.com/api/get-read-receipts: readers except the author. `withheld_user_ids` (ours) send no read receipts. */
export const getReadReceipts = endpoint('GET', '/messages/{message_id}/read_receipts', {
  answer: z.object({
    user_ids: z.array(z.int()),
    /** Ours. */
    unread_user_ids: z.optional(z.array(z.int())),
    withheld_user_ids: z.optional(z.array(z.int())),
  }),
});

/** Ours: the number of readers of messages in one conversation. Messages whose receipts are hidden are left out. */
export const countReadReceipts = endpoint('GET', '/read_receipts', {
  parameters: { messages: json(z.array(z.int())) },
  answer: z.object({ read_counts: z.array(z.object({ message_id: z.int(), count: z.int() })) }),
});
