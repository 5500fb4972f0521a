import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';
import { maxPrincipals, maxStreamsPerSubscribe } from '../limits.ts';

/** Emails or ids. */
const principals = json(
  z.optional(
    z.union([z.array(z.string()).check(z.maxLength(maxPrincipals)), z.array(z.int()).check(z.maxLength(maxPrincipals))]),
  ),
);

const wanted = z
  .array(z.strictObject({ name: z.string(), color: z.optional(z.string()), description: z.optional(z.string()) }))
  .check(z.maxLength(maxStreamsPerSubscribe));
const names = z.array(z.string()).check(z.maxLength(maxStreamsPerSubscribe));

/** Stream names keyed by user id, or by email before feature level 289. */
const namesByUser = z.record(z.string(), z.array(z.string()));

/** https://zulip.com/api/subscribe: creates the streams that do not exist. */
export const subscribe = endpoint('POST', '/users/me/subscriptions', {
  parameters: {
    subscriptions: json(wanted),
    principals,
    /** For new streams. If absent, they are private with shared history. Only administrators may choose false. */
    invite_only: json(z.optional(z.boolean())),
    is_web_public: json(z._default(z.boolean(), false)),
    is_default_stream: json(z._default(z.boolean(), false)),
    announce: json(z._default(z.boolean(), false)),
    history_public_to_subscribers: json(z.optional(z.boolean())),
    stream_post_policy: json(z._default(z.literal([1, 2, 3, 4]), 1)),
    message_retention_days: json(z._default(z.union([z.int(), z.literal(['realm_default', 'unlimited'])]), 'realm_default')),
    can_remove_subscribers_group: json(z.optional(z.int())),
    /** If false, forbidden streams are listed in `unauthorized` and do not make the call fail. */
    authorization_errors_fatal: json(z._default(z.boolean(), true)),
  },
  answer: z.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: z.optional(z.array(z.string())),
  }),
});

/** https://zulip.com/api/unsubscribe */
export const unsubscribe = endpoint('DELETE', '/users/me/subscriptions', {
  parameters: { subscriptions: json(names), principals },
  answer: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
});

/** https://zulip.com/api/update-subscriptions: subscribes and unsubscribes in one call. */
export const updateSubscriptions = endpoint('PATCH', '/users/me/subscriptions', {
  parameters: { delete: json(z._default(names, [])), add: json(z._default(wanted, [])) },
  answer: z.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  }),
});

/** https://zulip.com/api/get-subscription-status */
export const getSubscriptionStatus = endpoint('GET', '/users/{user_id}/subscriptions/{stream_id}', {
  answer: z.object({ is_subscribed: z.boolean() }),
});
