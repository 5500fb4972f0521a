/** The parameters of the web client's register, and the parts of the answer that it reads. The first screen loads no other schemas of this call. */
import { z } from 'zod/mini';
import { json } from '../endpoint.ts';
import { draft, formerName, readReceiptsShown, realmEmojiMap, unreadMessages, user, userGroup, userTopic } from '../entities.ts';
import { presences, userStatus } from '../presence.ts';
import { userSettings } from '../settings.ts';

const eventTypes = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200));

export const snapshotParameters = {
  event_types: json(z.optional(eventTypes)),
  fetch_event_types: json(z.optional(eventTypes)),
  apply_markdown: json(z._default(z.boolean(), false)),
  client_gravatar: json(z._default(z.boolean(), true)),
  slim_presence: json(z._default(z.boolean(), false)),
  client_capabilities: json(z._default(z.record(z.string(), z.boolean()), {})),
};

export const registrationSnapshot = z.object({
  queue_id: z.string(),
  last_event_id: z.int(),
  zulip_version: z.string(),
  zulip_feature_level: z._default(z.int(), 0),
  event_queue_longpoll_timeout_seconds: z.optional(z.int()),
  max_message_id: z.optional(z.int()),
  unread_msgs: z.optional(unreadMessages),
  realm_users: z.optional(z.array(user)),
  realm_non_active_users: z.optional(z.array(user)),
  cross_realm_bots: z.optional(z.array(user)),
  /** Ours: former names of members, newest last. */
  former_names: z.optional(z.array(formerName)),
  user_id: z.optional(z.int()),
  /** Newest first; `user_ids` are the other participants. */
  recent_private_conversations: z.optional(z.array(z.object({ max_message_id: z.int(), user_ids: z.array(z.int()) }))),
  alert_words: z.optional(z.array(z.string())),
  /** The draft with the oldest edit first. */
  drafts: z.optional(z.array(draft)),
  user_topics: z.optional(z.array(userTopic)),
  user_settings: z.optional(userSettings),
  /** In the slim form if the request has `slim_presence`, else in the legacy form. */
  presences: z.optional(presences),
  /** Unix seconds, with a fraction. */
  server_timestamp: z.optional(z.number()),
  presence_last_update_id: z.optional(z.int()),
  /** Keyed by user id; only members with a status. */
  user_status: z.optional(z.record(z.string(), userStatus)),
  realm_emoji: z.optional(realmEmojiMap),
  realm_user_groups: z.optional(z.array(userGroup)),
  /** Seconds; null: no limit. */
  realm_message_content_edit_limit_seconds: z.nullish(z.int()),
  realm_message_content_delete_limit_seconds: z.nullish(z.int()),
  realm_allow_message_editing: z.optional(z.boolean()),
  /** The users that may delete their messages: 1 members, 2 administrators, 3 full members, 4 moderators, 5 everyone. */
  realm_delete_own_message_policy: z.optional(z.int()),
  realm_enable_read_receipts: z.optional(z.boolean()),
  /** Whether the member may create private streams. Absent from newer servers. */
  can_create_private_streams: z.optional(z.boolean()),
  /** Ours. */
  realm_read_receipts: z.optional(readReceiptsShown),
  server_typing_started_wait_period_milliseconds: z.optional(z.int()),
  server_typing_stopped_wait_period_milliseconds: z.optional(z.int()),
  server_typing_started_expiry_period_milliseconds: z.optional(z.int()),
  server_presence_ping_interval_seconds: z.optional(z.int()),
  server_presence_offline_threshold_seconds: z.optional(z.int()),
});
export type RegistrationSnapshot = z.output<typeof registrationSnapshot>;
