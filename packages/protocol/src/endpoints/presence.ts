import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import { clientPresence, presences } from '../presence.ts';

/** https://zulip.com/api/update-presence. With `last_update_id` (-1 at first) the answer has only changes, in the slim form. */
export const updatePresence = endpoint('POST', '/users/me/presence', {
  parameters: {
    /** `active` or `idle`. */
    status: text(z.string()),
    ping_only: json(z.boolean().default(false)),
    new_user_input: json(z.boolean().default(false)),
    slim_presence: json(z.boolean().default(false)),
    last_update_id: json(z.int().optional()),
  },
  answer: z.object({
    presences: presences.optional(),
    /** Unix seconds, with a fraction. */
    server_timestamp: z.number().optional(),
    presence_last_update_id: z.int().optional(),
  }),
});

/** https://zulip.com/api/get-presence: all members, in the legacy form. */
export const getRealmPresence = endpoint('GET', '/realm/presence', {
  answer: z.object({ presences, server_timestamp: z.number() }),
});

/** https://zulip.com/api/get-user-presence */
export const getUserPresence = endpoint('GET', '/users/{user_id}/presence', {
  answer: z.object({ presence: z.record(z.string(), clientPresence.partial({ client: true })) }),
});
