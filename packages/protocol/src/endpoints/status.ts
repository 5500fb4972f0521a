import { z } from 'zod';
import { endpoint, json, path, text } from '../endpoint.ts';
import { userStatus } from '../userStatus.ts';

/**
 * https://zulip.com/api/update-status: what is named changes, and what is empty goes. A new text or emoji ends when the
 * same call says so, else never: an end that was said before was of the status before.
 */
export const updateStatus = endpoint({
  method: 'POST',
  path: '/users/me/status',
  parameters: {
    status_text: text(z.string().max(1000).optional()),
    emoji_name: text(z.string().max(100).optional()),
    emoji_code: text(z.string().max(100).optional()),
    reaction_type: text(z.string().max(100).optional()),
    /** Ours: when it ends, in unix seconds; null: never. */
    scheduled_end_time: json(z.int().nullish()),
  },
  answer: z.object({}),
});

/** https://zulip.com/api/get-user-status */
export const getUserStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/status',
  parameters: { user_id: path() },
  answer: z.object({ status: userStatus }),
});
