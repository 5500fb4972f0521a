import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import {
  draft,
  formerName,
  groupSetting,
  mutedTopic,
  mutedUser,
  neverSubscribed,
  playground,
  profileField,
  readReceiptsShown,
  realmEmojiMap,
  scheduledMessage,
  stream,
  streamIds,
  subscription,
  unreadMessages,
  user,
  userGroup,
  userTopic,
} from '../entities.ts';
import { queueLifespanSeconds } from '../limits.ts';
import { linkifier } from '../linkifier.ts';
import { narrow } from '../narrow.ts';
import { presences, userStatus } from '../presence.ts';
import { displaySettings, notificationSettings, userSettings } from '../settings.ts';

const eventTypes = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200));

/** https://zulip.com/api/register-queue. `fetch_event_types` selects the parts of the snapshot in the answer. */
export const registerQueue = endpoint('POST', '/register', {
  parameters: {
    event_types: json(z.optional(eventTypes)),
    fetch_event_types: json(z.optional(eventTypes)),
    apply_markdown: json(z._default(z.boolean(), false)),
    client_gravatar: json(z._default(z.boolean(), true)),
    slim_presence: json(z._default(z.boolean(), false)),
    include_subscribers: json(z._default(z.boolean(), false)),
    all_public_streams: json(z._default(z.boolean(), false)),
    narrow: json(z._default(narrow, []), { strict: true }),
    client_capabilities: json(z._default(z.record(z.string(), z.boolean()), {})),
    queue_lifespan_secs: json(
      z._default(z.int().check(z.gte(0), z.lte(queueLifespanSeconds.most)), queueLifespanSeconds.default),
    ),
  },
  answer: z.object({
    queue_id: z.string(),
    last_event_id: z.int(),
    zulip_version: z.string(),
    zulip_feature_level: z._default(z.int(), 0),
    zulip_merge_base: z.optional(z.string()),
    event_queue_longpoll_timeout_seconds: z.optional(z.int()),
    max_message_id: z.optional(z.int()),
    unread_msgs: z.optional(unreadMessages),
    starred_messages: z.optional(z.array(z.int())),
    subscriptions: z.optional(z.array(subscription)),
    unsubscribed: z.optional(z.array(subscription)),
    never_subscribed: z.optional(z.array(neverSubscribed)),
    streams: z.optional(z.array(stream)),
    /** The ids of the streams that new members join. Guests get none. */
    realm_default_streams: z.optional(streamIds),
    realm_users: z.optional(z.array(user)),
    realm_non_active_users: z.optional(z.array(user)),
    cross_realm_bots: z.optional(z.array(user)),
    /** Ours: former names of members, newest last. */
    former_names: z.optional(z.array(formerName)),
    user_id: z.optional(z.int()),
    email: z.optional(z.string()),
    full_name: z.optional(z.string()),
    avatar_url: z.nullish(z.string()),
    is_admin: z.optional(z.boolean()),
    is_owner: z.optional(z.boolean()),
    is_moderator: z.optional(z.boolean()),
    is_guest: z.optional(z.boolean()),
    /** Newest first; `user_ids` are the other participants. */
    recent_private_conversations: z.optional(z.array(z.object({ max_message_id: z.int(), user_ids: z.array(z.int()) }))),
    alert_words: z.optional(z.array(z.string())),
    /** The draft with the oldest edit first. */
    drafts: z.optional(z.array(draft)),
    /** In the order of their times. */
    scheduled_messages: z.optional(z.array(scheduledMessage)),
    user_topics: z.optional(z.array(userTopic)),
    /** Absent if the request also names `user_topic`. */
    muted_topics: z.optional(z.array(mutedTopic)),
    muted_users: z.optional(z.array(mutedUser)),
    user_settings: z.optional(userSettings),
    /** Parts `update_display_settings` and `update_global_notifications`, without the capability `user_settings_object`. */
    ...z.partial(displaySettings).shape,
    ...z.partial(notificationSettings).shape,
    /** In the slim form if the request has `slim_presence`, else in the legacy form. */
    presences: z.optional(presences),
    /** Unix seconds, with a fraction. */
    server_timestamp: z.optional(z.number()),
    presence_last_update_id: z.optional(z.int()),
    /** Keyed by user id; only members with a status. */
    user_status: z.optional(z.record(z.string(), userStatus)),
    pointer: z.optional(z.int()),
    realm_emoji: z.optional(realmEmojiMap),
    realm_user_groups: z.optional(z.array(userGroup)),
    realm_playgrounds: z.optional(z.array(playground)),
    custom_profile_fields: z.optional(z.array(profileField)),
    custom_profile_field_types: z.optional(z.record(z.string(), z.object({ id: z.int(), name: z.string() }))),
    /** Only for clients with the capability `linkifier_url_template`. */
    realm_linkifiers: z.optional(z.array(linkifier)),
    /** Seconds; null: no limit. */
    realm_message_content_edit_limit_seconds: z.nullish(z.int()),
    realm_message_content_delete_limit_seconds: z.nullish(z.int()),
    realm_move_messages_within_stream_limit_seconds: z.nullish(z.int()),
    realm_allow_message_editing: z.optional(z.boolean()),
    /** The users that may delete their messages: 1 members, 2 administrators, 3 full members, 4 moderators, 5 everyone. */
    realm_delete_own_message_policy: z.optional(z.int()),
    realm_allow_edit_history: z.optional(z.boolean()),
    realm_enable_read_receipts: z.optional(z.boolean()),
    /** Whether the member may create private streams. Absent from newer servers. */
    can_create_private_streams: z.optional(z.boolean()),
    /** Ours. */
    realm_read_receipts: z.optional(readReceiptsShown),
    /** Zulip's policies of before 10.0: 1 everyone, 3 administrators, which includes our `nobody`. */
    realm_bot_creation_policy: z.optional(z.int()),
    /** The system group of those who may create bots. */
    realm_can_create_bots_group: z.optional(z.int()),
    /** Ours: a `botCreation`. */
    realm_bot_creation: z.optional(z.string()),
    /** The bots that the member may administer, inactive ones too: each a `bot` of `bots.ts`. */
    realm_bots: z.optional(z.array(z.unknown())),
    server_typing_started_wait_period_milliseconds: z.optional(z.int()),
    server_typing_stopped_wait_period_milliseconds: z.optional(z.int()),
    server_typing_started_expiry_period_milliseconds: z.optional(z.int()),
    server_presence_ping_interval_seconds: z.optional(z.int()),
    server_presence_offline_threshold_seconds: z.optional(z.int()),
    realm_name: z.optional(z.string()),
    realm_icon_url: z.optional(z.string()),
    /** `G` or `U`: generated or uploaded. */
    realm_icon_source: z.optional(z.string()),
    /** Days; -1: messages are never deleted by age. */
    realm_message_retention_days: z.nullish(z.int()),
    realm_url: z.optional(z.string()),
    /** The name of `realm_url` before Zulip 9.0. */
    realm_uri: z.optional(z.string()),
    realm_can_add_subscribers_group: z.optional(groupSetting),
    realm_can_create_public_channel_group: z.optional(groupSetting),
    realm_can_create_private_channel_group: z.optional(groupSetting),
    realm_can_create_web_public_channel_group: z.optional(groupSetting),
    realm_can_delete_any_message_group: z.optional(groupSetting),
    realm_can_delete_own_message_group: z.optional(groupSetting),
    realm_can_mention_many_users_group: z.optional(groupSetting),
    realm_direct_message_initiator_group: z.optional(groupSetting),
    realm_direct_message_permission_group: z.optional(groupSetting),
    realm_presence_disabled: z.optional(z.boolean()),
    /** Days until a new member is a full member. */
    realm_waiting_period_threshold: z.optional(z.int()),
    /** The users who may mention everyone: 1 everyone, 2 members, 3 full members, 5 administrators, 6 nobody, 7 moderators. */
    realm_wildcard_mention_policy: z.optional(z.int()),
    /** The kinds of external accounts that profile fields may name, by key. */
    realm_default_external_accounts: z.optional(
      z.record(z.string(), z.object({ name: z.string(), text: z.string(), hint: z.string(), url_pattern: z.string() })),
    ),
    /** The address of the file with the names of Unicode emoji; see `getEmojiData`. */
    server_emoji_data_url: z.optional(z.string()),
    /** Whether a send needs a topic; the second one is what newer servers call it. */
    realm_mandatory_topics: z.optional(z.boolean()),
    realm_topics_policy: z.optional(z.string()),
    /** How clients show an empty topic, which our server never has. */
    realm_empty_topic_display_name: z.optional(z.string()),
    max_message_length: z.optional(z.int()),
    max_topic_length: z.optional(z.int()),
    max_stream_name_length: z.optional(z.int()),
    max_stream_description_length: z.optional(z.int()),
    max_file_upload_size_mib: z.optional(z.int()),
  }),
});

/** https://zulip.com/api/delete-queue */
export const deleteQueue = endpoint('DELETE', '/events', { parameters: { queue_id: text(z.string()) }, answer: z.object({}) });
