import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import { stream, subscription, unreadMessages, user } from '../entities.ts';
import { serverEvent } from '../events.ts';
import { queueLifespanSeconds } from '../limits.ts';
import { narrow } from '../narrow.ts';

const eventTypes = z.array(z.string().max(100)).max(200);

/** https://zulip.com/api/register-queue. What is in the answer beyond the queue depends on `fetch_event_types`. */
export const registerQueue = endpoint({
  method: 'POST',
  path: '/register',
  parameters: {
    event_types: json(eventTypes.optional()),
    fetch_event_types: json(eventTypes.optional()),
    apply_markdown: json(z.boolean().default(false)),
    client_gravatar: json(z.boolean().default(true)),
    slim_presence: json(z.boolean().default(false)),
    include_subscribers: json(z.boolean().default(false)),
    all_public_streams: json(z.boolean().default(false)),
    narrow: json(narrow.default([]), { strict: true }),
    client_capabilities: json(z.record(z.string(), z.boolean()).default({})),
    queue_lifespan_secs: json(z.int().min(0).max(queueLifespanSeconds.most).default(queueLifespanSeconds.usual)),
  },
  answer: z.object({
    queue_id: z.string(),
    last_event_id: z.int(),
    zulip_version: z.string(),
    zulip_feature_level: z.int().default(0),
    zulip_merge_base: z.string().optional(),
    event_queue_longpoll_timeout_seconds: z.int().optional(),
    // message
    max_message_id: z.int().optional(),
    // message with update_message_flags
    unread_msgs: unreadMessages.optional(),
    starred_messages: z.array(z.int()).optional(),
    // subscription
    subscriptions: z.array(subscription).optional(),
    unsubscribed: z.array(subscription).optional(),
    never_subscribed: z.array(stream).optional(),
    // stream
    streams: z.array(stream).optional(),
    // realm_user
    realm_users: z.array(user).optional(),
    realm_non_active_users: z.array(user).optional(),
    cross_realm_bots: z.array(user).optional(),
    user_id: z.int().optional(),
    email: z.string().optional(),
    full_name: z.string().optional(),
    avatar_url: z.string().nullish(),
    is_admin: z.boolean().optional(),
    is_owner: z.boolean().optional(),
    is_moderator: z.boolean().optional(),
    is_guest: z.boolean().optional(),
    // realm
    realm_name: z.string().optional(),
    max_message_length: z.int().optional(),
    max_topic_length: z.int().optional(),
    max_stream_name_length: z.int().optional(),
    max_stream_description_length: z.int().optional(),
    max_file_upload_size_mib: z.int().optional(),
  }),
});

/** https://zulip.com/api/get-events: waits for the first event unless `dont_block`. */
export const getEvents = endpoint({
  method: 'GET',
  path: '/events',
  parameters: {
    queue_id: text(z.string()),
    last_event_id: json(z.int()),
    dont_block: json(z.boolean().default(false)),
  },
  answer: z.object({ events: z.array(serverEvent), queue_id: z.string().optional() }),
});

/** https://zulip.com/api/delete-queue */
export const deleteQueue = endpoint({
  method: 'DELETE',
  path: '/events',
  parameters: { queue_id: text(z.string()) },
  answer: z.object({}),
});
