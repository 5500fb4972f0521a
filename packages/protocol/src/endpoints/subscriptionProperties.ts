import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { maxPropertiesPerCall } from '../limits.ts';

/**
 * https://zulip.com/api/update-subscription-settings. `property`: `color`, `is_muted` or its opposite `in_home_view`,
 * `pin_to_top`, or ours `put_away`. Also true, false or null (the member's default): `desktop_notifications`,
 * `audible_notifications`, `push_notifications`, `email_notifications`, `wildcard_mentions_notify`.
 */
export const updateSubscriptionProperties = endpoint('POST', '/users/me/subscriptions/properties', {
  parameters: {
    subscription_data: json(
      z
        .array(z.object({ stream_id: z.int(), property: z.string(), value: z.unknown() }))
        .check(z.maxLength(maxPropertiesPerCall)),
    ),
  },
});

/** Sets one property of one stream. `value`: JSON, or a plain colour. A real Zulip takes only text: switches need the call for many. */
export const updateSubscriptionProperty = endpoint('PATCH', '/users/me/subscriptions/{stream_id}', {
  parameters: { property: text(z.string()), value: text(z.string()) },
});

/** https://zulip.com/api/update-user-topic */
export const updateUserTopic = endpoint('POST', '/user_topics', {
  parameters: { stream_id: json(z.int()), topic: text(z.string()), visibility_policy: json(z.literal([0, 1, 2, 3])) },
});

/** https://zulip.com/api/mute-topic: `updateUserTopic` of clients before Zulip 7.0. One of `stream` and `stream_id` is required. */
export const muteTopic = endpoint('PATCH', '/users/me/subscriptions/muted_topics', {
  parameters: {
    stream_id: json(z.optional(z.int())),
    stream: text(z.optional(z.string())),
    topic: text(z.string()),
    op: text(z.enum(['add', 'remove'])),
  },
});
