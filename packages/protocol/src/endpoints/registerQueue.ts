import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';
import { groupSetting, neverSubscribed, stream, streamIds, subscription } from '../entities.ts';
import { mutedTopic, mutedUser } from '../muting.ts';
import { playground } from '../playground.ts';
import { profileField } from '../profileField.ts';
import { scheduledMessage } from '../scheduledMessage.ts';
import { queueLifespanSeconds } from '../limits.ts';
import { linkifier } from '../linkifier.ts';
import { narrow } from '../narrow.ts';
import { displaySettings, notificationSettings } from '../settingGroups.ts';
import { registrationSnapshot, snapshotParameters } from './snapshot.ts';

/** https://zulip.com/api/register-queue. `fetch_event_types` selects the parts of the snapshot in the answer. */
export const registerQueue = endpoint('POST', '/register', {
  parameters: {
    ...snapshotParameters,
    include_subscribers: json(z._default(z.boolean(), false)),
    all_public_streams: json(z._default(z.boolean(), false)),
    narrow: json(z._default(narrow, []), { strict: true }),
    queue_lifespan_secs: json(
      z._default(z.int().check(z.gte(0), z.lte(queueLifespanSeconds.most)), queueLifespanSeconds.default),
    ),
  },
  answer: z.object({
    ...registrationSnapshot.shape,
    zulip_merge_base: z.optional(z.string()),
    starred_messages: z.optional(z.array(z.int())),
    subscriptions: z.optional(z.array(subscription)),
    unsubscribed: z.optional(z.array(subscription)),
    never_subscribed: z.optional(z.array(neverSubscribed)),
    streams: z.optional(z.array(stream)),
    /** The ids of the streams that new members join. Guests get none. */
    realm_default_streams: z.optional(streamIds),
    email: z.optional(z.string()),
    full_name: z.optional(z.string()),
    avatar_url: z.nullish(z.string()),
    is_admin: z.optional(z.boolean()),
    is_owner: z.optional(z.boolean()),
    is_moderator: z.optional(z.boolean()),
    is_guest: z.optional(z.boolean()),
    /** In the order of their times. */
    scheduled_messages: z.optional(z.array(scheduledMessage)),
    /** Absent if the request also names `user_topic`. */
    muted_topics: z.optional(z.array(mutedTopic)),
    muted_users: z.optional(z.array(mutedUser)),
    /** Parts `update_display_settings` and `update_global_notifications`, without the capability `user_settings_object`. */
    ...z.partial(displaySettings).shape,
    ...z.partial(notificationSettings).shape,
    pointer: z.optional(z.int()),
    realm_playgrounds: z.optional(z.array(playground)),
    custom_profile_fields: z.optional(z.array(profileField)),
    custom_profile_field_types: z.optional(z.record(z.string(), z.object({ id: z.int(), name: z.string() }))),
    /** Only for clients with the capability `linkifier_url_template`. */
    realm_linkifiers: z.optional(z.array(linkifier)),
    realm_move_messages_within_stream_limit_seconds: z.nullish(z.int()),
    realm_allow_edit_history: z.optional(z.boolean()),
    /** Zulip's policies of before 10.0: 1 everyone, 3 administrators, which includes our `nobody`. */
    realm_bot_creation_policy: z.optional(z.int()),
    /** The system group of those who may create bots. */
    realm_can_create_bots_group: z.optional(z.int()),
    /** Ours: a `botCreation`. */
    realm_bot_creation: z.optional(z.string()),
    /** The bots that the member may administer, inactive ones too: each a `bot` of `bots.ts`. */
    realm_bots: z.optional(z.array(z.unknown())),
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
