import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { clientPresence, presences } from '../presence.ts';
import { emailSegment } from './users.ts';

/** https://zulip.com/api/update-presence. With `last_update_id` (-1 at first) the answer has only changes, in the slim form. */
export const updatePresence = endpoint('POST', '/users/me/presence', {
  bots: 'none',
  parameters: {
    /** `active` or `idle`. */
    status: text(z.string()),
    ping_only: json(z._default(z.boolean(), false)),
    new_user_input: json(z._default(z.boolean(), false)),
    slim_presence: json(z._default(z.boolean(), false)),
    last_update_id: json(z.optional(z.int())),
  },
  answer: z.object({
    presences: z.optional(presences),
    /** Unix seconds, with a fraction. */
    server_timestamp: z.optional(z.number()),
    presence_last_update_id: z.optional(z.int()),
  }),
});

/** https://zulip.com/api/get-presence: all members, in the legacy form. */
export const getRealmPresence = endpoint('GET', '/realm/presence', {
  answer: z.object({ presences, server_timestamp: z.number() }),
});

const presenceOfUser = z.object({ presence: z.record(z.string(), z.partial(clientPresence, { client: true })) });

/** https://zulip.com/api/get-user-presence */
export const getUserPresence = endpoint('GET', '/users/{user_id}/presence', { answer: presenceOfUser });

/** `getUserPresence` of the user with this address. */
export const getUserPresenceByEmail = endpoint('GET', '/users/{email}/presence', {
  parameters: { email: emailSegment },
  answer: presenceOfUser,
});
