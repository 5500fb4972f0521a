import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { userStatus } from '../presence.ts';

/**
 * https://zulip.com/api/update-status: changes the given fields; an empty field is cleared. A new text or emoji drops the
 * previous end unless the call has a new one.
 */
export const updateStatus = endpoint('POST', '/users/me/status', {
  bots: 'none',
  parameters: {
    status_text: text(z.optional(z.string().check(z.maxLength(1000)))),
    emoji_name: text(z.optional(z.string().check(z.maxLength(100)))),
    emoji_code: text(z.optional(z.string().check(z.maxLength(100)))),
    reaction_type: text(z.optional(z.string().check(z.maxLength(100)))),
    /** Ours: unix seconds; null: never. */
    scheduled_end_time: json(z.nullish(z.int())),
  },
});

/** https://zulip.com/api/get-user-status */
export const getUserStatus = endpoint('GET', '/users/{user_id}/status', { answer: z.object({ status: userStatus }) });
