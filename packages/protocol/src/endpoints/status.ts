import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import { userStatus } from '../presence.ts';

/**
 * https://zulip.com/api/update-status: changes the given fields; an empty field is cleared. A new text or emoji drops the
 * previous end unless the call has a new one.
 */
export const updateStatus = endpoint('POST', '/users/me/status', {
  parameters: {
    status_text: text(z.string().max(1000).optional()),
    emoji_name: text(z.string().max(100).optional()),
    emoji_code: text(z.string().max(100).optional()),
    reaction_type: text(z.string().max(100).optional()),
    /** Ours: unix seconds; null: never. */
    scheduled_end_time: json(z.int().nullish()),
  },
});

/** https://zulip.com/api/get-user-status */
export const getUserStatus = endpoint('GET', '/users/{user_id}/status', { answer: z.object({ status: userStatus }) });
