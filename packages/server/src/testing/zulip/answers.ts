import { createHash } from 'node:crypto';
import { type Fields, isFields, pick } from './fields.ts';
import { host } from './organisation.ts';

/** The receiver of an answer or event, and whether their client computes the pictures of members who have none. */
export interface Viewer {
  readonly id: number;
  /** The viewer's own address: answers have it only in their own user. */
  readonly address: string;
  readonly clientGravatar: boolean;
}

const streamKeys = `can_remove_subscribers_group date_created description first_message_id history_public_to_subscribers
  invite_only is_announcement_only is_default is_web_public message_retention_days name rendered_description stream_id
  stream_post_policy stream_weekly_traffic subscribers`;

export const settingKeys = `color_scheme default_language enable_desktop_notifications enable_drafts_synchronization
  enable_sounds enable_stream_desktop_notifications enter_sends notification_sound presence_enabled
  send_private_typing_notifications send_read_receipts send_stream_typing_notifications timezone`;

interface Kind {
  /** An object with these keys is of this kind. */
  readonly marks: readonly string[];
  /** All keys that this kind of object has in the recordings of a real server. No other key is answered. */
  readonly keys: string;
  /** Changes values that the chat server inside answers differently. */
  readonly change?: (fields: Fields, viewer: Viewer) => Fields;
}

/** Prefix of the stored names of clients: with it, no message is rendered in the dialect of our clients. */
export const clientPrefix = '~';

const kinds: readonly Kind[] = [
  {
    marks: ['sender_full_name', 'recipient_id'],
    keys: `avatar_url client content content_type display_recipient edit_history flags id is_me_message last_edit_timestamp
      match_content match_subject reactions recipient_id sender_email sender_full_name sender_id sender_realm_str stream_id
      subject submessages timestamp topic_links type`,
    change: (message, viewer) => {
      const client = String(message['client']);
      return {
        avatar_url: pictureOf(message['avatar_url'], message['sender_email'], viewer),
        // The imported history has no prefix.
        client: client.startsWith(clientPrefix) ? client.slice(clientPrefix.length) : 'website',
        sender_realm_str: 'zulip',
      };
    },
  },
  {
    marks: ['pin_to_top', 'color'],
    keys: `${streamKeys} audible_notifications color desktop_notifications email_address email_notifications in_home_view
      is_muted pin_to_top push_notifications wildcard_mentions_notify`,
    change: ({ name, stream_id }) => ({ email_address: postingAddress(String(name), Number(stream_id)) }),
  },
  { marks: ['rendered_description', 'invite_only'], keys: streamKeys },
  {
    marks: ['date_joined', 'role'],
    keys: `avatar_url avatar_version bot_owner_id bot_type date_joined delivery_email email full_name is_active is_admin
      is_billing_admin is_bot is_guest is_owner profile_data role timezone user_id max_message_id result msg`,
    change: (user, viewer) => ({
      avatar_url: pictureOf(user['avatar_url'], user['email'], viewer),
      delivery_email: user['user_id'] === viewer.id ? viewer.address : null,
    }),
  },
  {
    marks: ['enter_sends', 'color_scheme'],
    keys: settingKeys,
  },
  {
    marks: ['rendered_content', 'topic', 'timestamp'],
    keys: `content content_html_diff prev_content prev_rendered_content prev_topic rendered_content timestamp topic user_id`,
  },
  { marks: ['to', 'topic', 'content', 'type'], keys: 'id type to topic content timestamp' },
  { marks: ['scheduled_end_time'], keys: 'status_text emoji_name emoji_code reaction_type' },
];

/** An answer or a part of it with the keys and values of level 218. */
export function asZulip(value: unknown, viewer: Viewer): unknown {
  if (Array.isArray(value)) return value.map((each) => asZulip(each, viewer));
  if (!isFields(value)) return value;
  const kind = kinds.find(({ marks }) => marks.every((mark) => mark in value));
  const kept = kind ? { ...pick(value, kind.keys), ...kind.change?.(value, viewer) } : value;
  return Object.fromEntries(Object.entries(kept).map(([name, each]) => [name, asZulip(each, viewer)]));
}

export function pictureOf(url: unknown, email: unknown, { clientGravatar }: Pick<Viewer, 'clientGravatar'>): unknown {
  if (url !== null) return url;
  const hash = createHash('md5').update(String(email)).digest('hex');
  return clientGravatar ? null : `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=1`;
}

/** A secret: everybody who knows the address can post to the stream by mail. */
export function postingAddress(name: string, streamId: number): string {
  const secret = createHash('md5').update(`secret of ${streamId}`).digest('hex');
  return `${name.replaceAll(/\W+/g, '-')}.${secret}.show-sender@${host}`;
}

/** The keys of all answers in the recordings, without those of `register` and `server_settings`. */
export const answerKeys = `alert_words allow_message_editing already_subscribed anchor api_key avatar_url avatar_version
  date_joined delete_own_message_policy delivery_email email emoji enable_read_receipts events found_anchor found_newest
  found_oldest full_name history_limited id ignored_parameters_unsupported is_active is_admin is_billing_admin is_bot is_guest
  is_owner linkifiers max_message_id members message message_content_delete_limit_seconds message_content_edit_limit_seconds
  message_history messages move_messages_within_stream_limit_seconds msg not_removed presence presences profile_data queue_id
  raw_content removed rendered result role server_timestamp stream stream_id streams subscribed subscriptions timezone topics
  unauthorized uri url user user_id user_ids count drafts ids`;

export const serverSettingsKeys = `authentication_methods email_auth_enabled external_authentication_methods is_incompatible msg
  push_notifications_enabled realm_description realm_icon realm_name realm_uri realm_web_public_access_enabled
  require_email_format_usernames result zulip_feature_level zulip_merge_base zulip_version`;

/** Of the recorded keys of `register`, those that the chat server inside has or the double adds. */
export const registerKeys = `alert_words avatar_url cross_realm_bots delivery_email drafts email
  event_queue_longpoll_timeout_seconds full_name is_admin is_guest is_moderator is_owner last_event_id max_message_id
  max_message_length max_stream_description_length max_stream_name_length max_topic_length max_file_upload_size_mib msg
  never_subscribed presences queue_id realm_allow_edit_history realm_allow_message_editing realm_default_language
  realm_delete_own_message_policy realm_emoji realm_enable_read_receipts realm_linkifiers realm_mandatory_topics
  realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
  realm_move_messages_within_stream_limit_seconds realm_name realm_non_active_users realm_uri realm_users
  recent_private_conversations result server_presence_offline_threshold_seconds server_presence_ping_interval_seconds
  server_timestamp server_typing_started_expiry_period_milliseconds server_typing_started_wait_period_milliseconds
  server_typing_stopped_wait_period_milliseconds starred_messages streams subscriptions unread_msgs unsubscribed user_id
  user_settings user_status zulip_feature_level zulip_merge_base zulip_version ignored_parameters_unsupported`;

export const version = { zulip_version: '8.0-dev+git', zulip_merge_base: '', zulip_feature_level: 218 } as const;

const errorCodes = new Set(
  `BAD_REQUEST REQUEST_VARIABLE_MISSING REQUEST_VARIABLE_INVALID REQUEST_CONFUSING_VAR STREAM_DOES_NOT_EXIST BAD_NARROW
  BAD_EVENT_QUEUE_ID UNAUTHORIZED UNAUTHORIZED_PRINCIPAL AUTHENTICATION_FAILED USER_DEACTIVATED REACTION_ALREADY_EXISTS
  REACTION_DOES_NOT_EXIST CANNOT_DEACTIVATE_LAST_USER MOVE_MESSAGES_TIME_LIMIT_EXCEEDED RATE_LIMIT_HIT`.split(/\s+/),
);
const errorKeys = `bad_value desc msg queue_id result retry-after stream stream_id var_name var_name1 var_name2 is_last_owner
  entity first_message_id_allowed_to_move total_messages_in_topic total_messages_allowed_to_move`;

/** Most refusals have the general code. */
export function errorAsZulip(error: Fields): Fields {
  const code = String(error['code']);
  return { ...pick(error, errorKeys), code: errorCodes.has(code) ? code : 'BAD_REQUEST' };
}
