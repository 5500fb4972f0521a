import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import {
  draft,
  formerName,
  neverSubscribed,
  readReceiptsShown,
  realmEmojiMap,
  stream,
  subscription,
  unreadMessages,
  user,
} from '../entities.ts';
import { serverEvent } from '../events.ts';
import { queueLifespanSeconds } from '../limits.ts';
import { linkifier } from '../linkifier.ts';
import { narrow } from '../narrow.ts';
import { presences, userStatus } from '../presence.ts';
import { userSettings } from '../settings.ts';

const eventTypes = z.array(z.string().max(100)).max(200);

/** https://zulip.com/api/register-queue. `fetch_event_types` selects the parts of the snapshot in the answer. */
export const registerQueue = endpoint('POST', '/register', {
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
    queue_lifespan_secs: json(z.int().min(0).max(queueLifespanSeconds.most).default(queueLifespanSeconds.default)),
  },
  answer: z.object({
    queue_id: z.string(),
    last_event_id: z.int(),
    zulip_version: z.string(),
    zulip_feature_level: z.int().default(0),
    zulip_merge_base: z.string().optional(),
    event_queue_longpoll_timeout_seconds: z.int().optional(),
    max_message_id: z.int().optional(),
    unread_msgs: unreadMessages.optional(),
    starred_messages: z.array(z.int()).optional(),
    subscriptions: z.array(subscription).optional(),
    unsubscribed: z.array(subscription).optional(),
    never_subscribed: z.array(neverSubscribed).optional(),
    streams: z.array(stream).optional(),
    realm_users: z.array(user).optional(),
    realm_non_active_users: z.array(user).optional(),
    cross_realm_bots: z.array(user).optional(),
    /** Ours: former names of members, newest last. */
    former_names: z.array(formerName).optional(),
    user_id: z.int().optional(),
    email: z.string().optional(),
    full_name: z.string().optional(),
    avatar_url: z.string().nullish(),
    is_admin: z.boolean().optional(),
    is_owner: z.boolean().optional(),
    is_moderator: z.boolean().optional(),
    is_guest: z.boolean().optional(),
    /** Newest first; `user_ids` are the other participants. */
    recent_private_conversations: z.array(z.object({ max_message_id: z.int(), user_ids: z.array(z.int()) })).optional(),
    alert_words: z.array(z.string()).optional(),
    /** The draft with the oldest edit first. */
    drafts: z.array(draft).optional(),
    user_settings: userSettings.optional(),
    /** In the slim form if the request has `slim_presence`, else in the legacy form. */
    presences: presences.optional(),
    /** Unix seconds, with a fraction. */
    server_timestamp: z.number().optional(),
    presence_last_update_id: z.int().optional(),
    /** Keyed by user id; only members with a status. */
    user_status: z.record(z.string(), userStatus).optional(),
    pointer: z.int().optional(),
    realm_emoji: realmEmojiMap.optional(),
    /** Only for clients with the capability `linkifier_url_template`. */
    realm_linkifiers: z.array(linkifier).optional(),
    /** Seconds; null: no limit. */
    realm_message_content_edit_limit_seconds: z.int().nullish(),
    realm_message_content_delete_limit_seconds: z.int().nullish(),
    realm_move_messages_within_stream_limit_seconds: z.int().nullish(),
    realm_allow_message_editing: z.boolean().optional(),
    /** The users that may delete their messages: 1 members, 2 administrators, 3 full members, 4 moderators, 5 everyone. */
    realm_delete_own_message_policy: z.int().optional(),
    realm_allow_edit_history: z.boolean().optional(),
    realm_enable_read_receipts: z.boolean().optional(),
    /** Whether the member may create private streams. Absent from newer servers. */
    can_create_private_streams: z.boolean().optional(),
    /** Ours. */
    realm_read_receipts: readReceiptsShown.optional(),
    server_typing_started_wait_period_milliseconds: z.int().optional(),
    server_typing_stopped_wait_period_milliseconds: z.int().optional(),
    server_typing_started_expiry_period_milliseconds: z.int().optional(),
    server_presence_ping_interval_seconds: z.int().optional(),
    server_presence_offline_threshold_seconds: z.int().optional(),
    realm_name: z.string().optional(),
    /** Whether a send needs a topic; the second one is what newer servers call it. */
    realm_mandatory_topics: z.boolean().optional(),
    realm_topics_policy: z.string().optional(),
    /** How clients show an empty topic, which our server never has. */
    realm_empty_topic_display_name: z.string().optional(),
    max_message_length: z.int().optional(),
    max_topic_length: z.int().optional(),
    max_stream_name_length: z.int().optional(),
    max_stream_description_length: z.int().optional(),
    max_file_upload_size_mib: z.int().optional(),
  }),
});

/** https://zulip.com/api/get-events: waits for an event unless `dont_block`. */
export const getEvents = endpoint('GET', '/events', {
  counted: false,
  parameters: {
    queue_id: text(z.string()),
    last_event_id: json(z.int()),
    dont_block: json(z.boolean().default(false)),
  },
  answer: z.object({ events: z.array(serverEvent), queue_id: z.string().optional() }),
});

/** https://zulip.com/api/delete-queue */
export const deleteQueue = endpoint('DELETE', '/events', { parameters: { queue_id: text(z.string()) }, answer: z.object({}) });
