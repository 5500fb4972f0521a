import { z } from 'zod';
import { endpoint, json, path, text } from '../endpoint.ts';
import { subscription } from '../entities.ts';
import { maxPrincipals, maxPropertiesPerCall, maxStreamsPerSubscribe } from '../limits.ts';

/** Emails or ids. */
const principals = json(z.union([z.array(z.string()).max(maxPrincipals), z.array(z.int()).max(maxPrincipals)]).optional());

const wanted = z
  .array(z.strictObject({ name: z.string(), color: z.string().optional(), description: z.string().optional() }))
  .max(maxStreamsPerSubscribe);
const names = z.array(z.string()).max(maxStreamsPerSubscribe);

/** Names of streams by user: by id as text, or before feature level 289 by email. */
const namesByUser = z.record(z.string(), z.array(z.string()));

/** https://zulip.com/api/get-subscriptions */
export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  parameters: { include_subscribers: json(z.boolean().default(false)) },
  answer: z.object({ subscriptions: z.array(subscription) }),
});

/** https://zulip.com/api/subscribe: streams of names that are not there yet are made. */
export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  parameters: {
    subscriptions: json(wanted),
    principals,
    /** For streams that are made. Absent: private with a shared history; false is the administrators' to choose. */
    invite_only: json(z.boolean().optional()),
    is_web_public: json(z.boolean().default(false)),
    is_default_stream: json(z.boolean().default(false)),
    announce: json(z.boolean().default(false)),
    history_public_to_subscribers: json(z.boolean().optional()),
    stream_post_policy: json(z.literal([1, 2, 3, 4]).default(1)),
    message_retention_days: json(z.union([z.int(), z.literal(['realm_default', 'unlimited'])]).default('realm_default')),
    can_remove_subscribers_group: json(z.int().optional()),
    /** Off: streams that the member may not enter are listed instead of refusing the whole call. */
    authorization_errors_fatal: json(z.boolean().default(true)),
  },
  answer: z.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: z.array(z.string()).optional(),
  }),
});

/** https://zulip.com/api/unsubscribe */
export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  parameters: { subscriptions: json(names), principals },
  answer: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
});

/** https://zulip.com/api/update-subscriptions: both at once. */
export const updateSubscriptions = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions',
  parameters: { delete: json(names.default([])), add: json(wanted.default([])) },
  answer: z.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  }),
});

/**
 * https://zulip.com/api/update-subscription-settings. `property`: `color`, `is_muted` or its opposite `in_home_view`,
 * `pin_to_top`, and by what a member is told of messages there, true, false or null for as they are told elsewhere:
 * `desktop_notifications`, `audible_notifications`, `push_notifications`, `email_notifications`,
 * `wildcard_mentions_notify`. Ours: `put_away`.
 */
export const updateSubscriptionProperties = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  parameters: {
    subscription_data: json(
      z.array(z.object({ stream_id: z.int(), property: z.string(), value: z.unknown() })).max(maxPropertiesPerCall),
    ),
  },
  answer: z.object({}),
});

/** The same for one property of one. `value`: JSON, or a colour as it is. */
export const updateSubscriptionProperty = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  parameters: { stream_id: path(), property: text(z.string()), value: text(z.string()) },
  answer: z.object({}),
});
