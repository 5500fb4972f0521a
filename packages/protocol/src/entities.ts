import { z } from 'zod/mini';
import { maxDirectParticipants } from './limits.ts';

export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export const role = z.literal([100, 200, 300, 400, 600]);
export type Role = z.output<typeof role>;

const profileValue = z.object({ value: z.string(), rendered_value: z.optional(z.string()) });
/** By the id of the field. */
export const profileData = z.record(z.string(), profileValue);
export type ProfileData = z.output<typeof profileData>;

export const user = z.object({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.nullish(z.string()),
  full_name: z.string(),
  date_joined: z.string(),
  /** Absent in answers of register, which has one list of active and one of inactive users. */
  is_active: z.optional(z.boolean()),
  role,
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_billing_admin: z.optional(z.boolean()),
  is_bot: z.boolean(),
  /** Only of bots. Our server gives guests no owner. */
  bot_type: z.nullish(z.int()),
  bot_owner_id: z.nullish(z.int()),
  timezone: z.string(),
  avatar_url: z.nullish(z.string()),
  avatar_version: z.int(),
  /** Absent without values. */
  profile_data: z.optional(profileData),
});
export type User = z.output<typeof user>;

export const formerName = z.object({ user_id: z.int(), name: z.string() });
export type FormerName = z.output<typeof formerName>;

/** https://zulip.com/api/group-setting-values */
export const groupSetting = z.union([
  z.int(),
  z.object({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

/** A group of users that a mention or a permission can name. */
export const userGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** The active direct members. A guest sees only themselves. */
  members: z.array(z.int()),
  direct_subgroup_ids: z._default(z.array(z.int()), []),
  is_system_group: z._default(z.boolean(), false),
  creator_id: z.nullish(z.int()),
  /** Unix seconds. */
  date_created: z.nullish(z.int()),
  deactivated: z._default(z.boolean(), false),
  can_add_members_group: z.optional(groupSetting),
  can_join_group: z.optional(groupSetting),
  can_leave_group: z.optional(groupSetting),
  can_manage_group: z.optional(groupSetting),
  can_mention_group: z.optional(groupSetting),
  can_remove_members_group: z.optional(groupSetting),
  /** Ours: the code of the department that the group stands for. */
  department_code: z.optional(z.string()),
});
export type UserGroup = z.output<typeof userGroup>;

export const stream = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.nullish(z.int()),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_archived: z.optional(z.boolean()),
  stream_post_policy: z.optional(z.int()),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.nullish(z.int()),
  first_message_id: z.nullable(z.int()),
  stream_weekly_traffic: z.nullish(z.int()),
  is_announcement_only: z.optional(z.boolean()),
  is_recently_active: z.optional(z.boolean()),
  /** A group, by id or by its members. Of our server: `administratorsGroup`; the creator may also remove others. */
  can_remove_subscribers_group: z.optional(groupSetting),
  can_administer_channel_group: z.optional(groupSetting),
  can_send_message_group: z.optional(groupSetting),
  /** The groups whose members may add others to a private stream, or join it, although they are not subscribed. */
  can_add_subscribers_group: z.optional(groupSetting),
  can_subscribe_group: z.optional(groupSetting),
  /** Ours. */
  picture_url: z.nullish(z.string()),
  /** Present only if the request has `include_default`. */
  is_default: z.optional(z.boolean()),
});
export type Stream = z.output<typeof stream>;

/** The ids of streams. Servers before feature level 330 send the streams. */
export const streamIds = z.array(
  z.pipe(
    z.union([z.int(), z.object({ stream_id: z.int() })]),
    z.transform((each) => (typeof each === 'number' ? each : each.stream_id)),
  ),
);

/** Two stream names that differ only in case, width or surrounding space have the same key. */
export const streamNameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export const subscription = z.extend(stream, {
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.optional(z.boolean()),
  pin_to_top: z.boolean(),
  desktop_notifications: z.nullish(z.boolean()),
  audible_notifications: z.nullish(z.boolean()),
  push_notifications: z.nullish(z.boolean()),
  email_notifications: z.nullish(z.boolean()),
  wildcard_mentions_notify: z.nullish(z.boolean()),
  /** Ours: the member has archived the stream (アーカイブ) in their own list. */
  put_away: z.optional(z.boolean()),
  /** User ids, present only if the request has `include_subscribers`. */
  subscribers: z.optional(z.array(z.int())),
});
export type Subscription = z.output<typeof subscription>;

export const neverSubscribed = z.extend(stream, { subscribers: subscription.shape.subscribers });
export type NeverSubscribed = z.output<typeof neverSubscribed>;

export const reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  /** `unicode_emoji`, `realm_emoji`, `zulip_extra_emoji`, or a type of a newer server. */
  reaction_type: z.string(),
  user_id: z.int(),
});
export type Reaction = z.output<typeof reaction>;

/** One edit of a message. Times are unix seconds. */
export const editEntry = z.object({
  user_id: z.nullable(z.int()),
  timestamp: z.int(),
  prev_content: z.optional(z.string()),
  prev_rendered_content: z.optional(z.string()),
  prev_topic: z.optional(z.string()),
  topic: z.optional(z.string()),
  prev_stream: z.optional(z.int()),
  stream: z.optional(z.int()),
});
export type EditEntry = z.output<typeof editEntry>;

export const realmEmoji = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.nullish(z.string()),
  deactivated: z.boolean(),
  author_id: z.nullish(z.int()),
});
export type RealmEmoji = z.output<typeof realmEmoji>;
export const realmEmojiMap = z.record(z.string(), realmEmoji);

export const directRecipient = z.object({ id: z.int(), email: z.string(), full_name: z.string(), is_mirror_dummy: z.boolean() });

/** The sender's change of the stream that the message reports. `added`: the ids of the users whom the sender added. */
export const messageNotice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('created') }),
  z.object({ kind: z.literal('added'), user_ids: z.array(z.int()) }),
]);
export type MessageNotice = z.output<typeof messageNotice>;

/** The call that the message announces. GET /api/calls/{id} of the product describes it. */
export const messageCall = z.object({ id: z.string(), kind: z.enum(['audio', 'video']) });
export type MessageCall = z.output<typeof messageCall>;

/** A stream's id, or the user ids of all participants of a direct conversation, ascending. */
export type CallConversation = number | readonly number[];

export const message = z.object({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.nullable(z.string()),
  client: z.string(),
  /** Unix seconds. */
  timestamp: z.int(),
  /** Source text or HTML, depending on `content_type`. */
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  is_me_message: z.boolean(),
  recipient_id: z.int(),
  /** The stream's name, or the participants of a direct message. */
  display_recipient: z.union([z.string(), z.array(directRecipient)]),
  /** Absent in direct messages. */
  stream_id: z.optional(z.int()),
  subject: z.string(),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  reactions: z.array(reaction),
  submessages: z.array(z.unknown()),
  last_edit_timestamp: z.optional(z.int()),
  /** When the topic of the message was last changed. */
  last_moved_timestamp: z.optional(z.int()),
  /** Newest first. */
  edit_history: z.optional(z.array(editEntry)),
  /** Only in answers of GET /messages; an event has its own `flags`. */
  flags: z.optional(z.array(z.string())),
  match_content: z.optional(z.string()),
  match_subject: z.optional(z.string()),
  /** Ours, with `include_deleted`: the content is empty. */
  deleted: z.optional(z.literal(true)),
  /** Ours: the server wrote the message. The content says the same in Japanese, for clients that do not know this field. */
  notice: z.optional(messageNotice),
  /** Ours: the sender started this call. The content says so in Japanese, and cannot be edited. Only the server sets this field. */
  call: z.optional(messageCall),
  /** Ours: a hook sent the message. The content says the same, and cannot be edited. Each is a `messageCard`, or of a later version. */
  cards: z.optional(z.array(z.unknown())),
});
export type Message = z.output<typeof message>;

/** The topic of every message from the web client, which never shows it. */
export const defaultTopic = 'stream events';

/** Topics that differ only in letter case have the same key. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase();

export const unreadMessages = z.object({
  /** The number of unread messages, without those of muted streams and topics. */
  count: z.int(),
  streams: z.array(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: z.array(z.int()) })),
  pms: z.array(z.object({ other_user_id: z.int(), sender_id: z.int(), unread_message_ids: z.array(z.int()) })),
  huddles: z.array(z.object({ user_ids_string: z.string(), unread_message_ids: z.array(z.int()) })),
  mentions: z.array(z.int()),
  old_unreads_missing: z.boolean(),
});
export type UnreadMessages = z.output<typeof unreadMessages>;

/** A member's choice for a topic: one of `visibilityPolicies` except `none`. */
export const userTopic = z.object({
  stream_id: z.int(),
  topic_name: z.string(),
  /** Unix seconds. */
  last_updated: z.int(),
  visibility_policy: z.int(),
});
export type UserTopic = z.output<typeof userTopic>;

/** A member's unsent text. */
export const draft = z.object({
  id: z.int(),
  /** The empty type has no address. */
  type: z.enum(['', 'stream', 'private']),
  /** The id of the stream, or the ids of the participants. */
  to: z.array(z.int()).check(z.maxLength(maxDirectParticipants)),
  topic: z.string(),
  content: z.string(),
  /** Unix seconds of the last edit. */
  timestamp: z.int(),
  /** Ours: the number of edits. */
  revision: z.optional(z.int()),
});
export type Draft = z.output<typeof draft>;

/** The messages whose readers a member can see: only their own, all, or none. */
export const readReceiptsShown = z.enum(['own', 'all', 'none']);
export type ReadReceiptsShown = z.output<typeof readReceiptsShown>;

export const writableFlags = ['read', 'starred', 'collapsed'] as const;
export type WritableFlag = (typeof writableFlags)[number];
