import { z } from 'zod/mini';
import {
  draft,
  message,
  reaction,
  readReceiptsShown,
  realmEmojiMap,
  role,
  stream,
  streamIds,
  subscription,
  user,
  userGroup,
  userTopic,
} from './entities.ts';
import { mutedTopic, mutedUser } from './muting.ts';
import { playground } from './playground.ts';
import { profileField } from './profileField.ts';
import { scheduledMessage } from './scheduledMessage.ts';
import { linkifier } from './linkifier.ts';
import { clientPresence, presence, userStatus } from './presence.ts';
import { directoryEntry } from './product.ts';

const id = z.int();

export const messageEvent = z.object({
  id,
  type: z.literal('message'),
  message,
  flags: z.array(z.string()),
  /** The `local_id` that the sender gave, only in the queue that the sender named. */
  local_message_id: z.optional(z.string()),
});

export const updateMessageEvent = z.object({
  id,
  type: z.literal('update_message'),
  /** Null when the server re-rendered the message. */
  user_id: z.nullish(z.int()),
  message_id: z.int(),
  /** Ascending, including `message_id`. */
  message_ids: z.array(z.int()),
  flags: z.array(z.string()),
  edit_timestamp: z.int(),
  rendering_only: z.optional(z.boolean()),
  stream_id: z.optional(z.int()),
  stream_name: z.optional(z.string()),
  // Content changes: source text and HTML, regardless of `apply_markdown`.
  content: z.optional(z.string()),
  rendered_content: z.optional(z.string()),
  orig_content: z.optional(z.string()),
  orig_rendered_content: z.optional(z.string()),
  is_me_message: z.optional(z.boolean()),
  new_stream_id: z.optional(z.int()),
  subject: z.optional(z.string()),
  orig_subject: z.optional(z.string()),
  topic_links: z.optional(z.array(z.object({ text: z.string(), url: z.string() }))),
  propagate_mode: z.optional(z.string()),
});

/** Has `message_ids` with the capability `bulk_message_deletion`, else `message_id`. */
export const deleteMessageEvent = z.object({
  id,
  type: z.literal('delete_message'),
  message_type: z.enum(['stream', 'private']),
  message_id: z.optional(z.int()),
  message_ids: z.optional(z.array(z.int())),
  stream_id: z.optional(z.int()),
  topic: z.optional(z.string()),
});

export const messageFlagsEvent = z.object({
  id,
  type: z.literal('update_message_flags'),
  op: z.enum(['add', 'remove']),
  operation: z.optional(z.enum(['add', 'remove'])),
  flag: z.string(),
  messages: z.array(z.int()),
  all: z.boolean(),
  /** Only if the flag `read` is removed: the conversation of each message that becomes unread, by message id. */
  message_details: z.optional(
    z.record(
      z.string(),
      z.object({
        type: z.enum(['stream', 'private']),
        mentioned: z.optional(z.boolean()),
        stream_id: z.optional(z.int()),
        topic: z.optional(z.string()),
        /** The other participants of a direct message. */
        user_ids: z.optional(z.array(z.int())),
      }),
    ),
  ),
});

export const reactionEvent = z.extend(reaction, {
  id,
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: z.int(),
  user: z.optional(z.object({ user_id: z.int(), email: z.string(), full_name: z.string() })),
});

const change = { property: z.string(), value: z.unknown() };
const streamChange = { stream_id: z.int(), ...change };

const subscriptionType = z.literal('subscription');
export const subscriptionEvent = z.discriminatedUnion('op', [
  z.object({ id, type: subscriptionType, op: z.literal('add'), subscriptions: z.array(subscription) }),
  z.object({
    id,
    type: subscriptionType,
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ name: z.string(), stream_id: z.int() })),
  }),
  z.object({ id, type: subscriptionType, op: z.literal('update'), ...streamChange }),
  z.object({
    id,
    type: subscriptionType,
    op: z.enum(['peer_add', 'peer_remove']),
    stream_ids: z.array(z.int()),
    user_ids: z.array(z.int()),
  }),
]);

const streamType = z.literal('stream');
export const streamEvent = z.discriminatedUnion('op', [
  z.object({ id, type: streamType, op: z.literal('create'), streams: z.array(stream) }),
  z.object({
    id,
    type: streamType,
    op: z.literal('delete'),
    streams: z.array(z.looseObject({ stream_id: z.int(), name: z.optional(z.string()) })),
    stream_ids: z.optional(z.array(z.int())),
  }),
  z.object({ id, type: streamType, op: z.literal('update'), ...streamChange }),
]);

const realmUserType = z.literal('realm_user');
export const realmUserEvent = z.discriminatedUnion('op', [
  z.object({ id, type: realmUserType, op: z.literal('add'), person: user }),
  z.object({
    id,
    type: realmUserType,
    op: z.enum(['update', 'remove']),
    person: z.looseObject({
      user_id: z.int(),
      full_name: z.optional(z.string()),
      /** The current address; `new_email` is the address after a change. */
      email: z.optional(z.string()),
      new_email: z.optional(z.string()),
      delivery_email: z.nullish(z.string()),
      timezone: z.optional(z.string()),
      avatar_url: z.nullish(z.string()),
      role: z.optional(role),
      is_active: z.optional(z.boolean()),
      bot_owner_id: z.nullish(z.int()),
    }),
  }),
]);

const userGroupType = z.literal('user_group');
const group_id = z.int();
export const userGroupEvent = z.discriminatedUnion('op', [
  z.object({ id, type: userGroupType, op: z.literal('add'), group: userGroup }),
  z.object({
    id,
    type: userGroupType,
    op: z.literal('update'),
    group_id,
    data: z.looseObject({
      name: z.optional(z.string()),
      description: z.optional(z.string()),
      deactivated: z.optional(z.boolean()),
    }),
  }),
  z.object({ id, type: userGroupType, op: z.literal('remove'), group_id }),
  z.object({ id, type: userGroupType, op: z.enum(['add_members', 'remove_members']), group_id, user_ids: z.array(z.int()) }),
  z.object({
    id,
    type: userGroupType,
    op: z.enum(['add_subgroups', 'remove_subgroups']),
    group_id,
    direct_subgroup_ids: z.array(z.int()),
  }),
]);

/**
 * For those who may administer the bot: a `bot` of `bots.ts` with `add`, what changed with `update`, the id with `delete`, which is
 * for its former owner. The web client does not use it, so it has no larger schema.
 */
export const realmBotEvent = z.object({ id, type: z.literal('realm_bot'), op: z.string(), bot: z.unknown() });

/** For queues with `linkifier_url_template`. */
export const realmLinkifiersEvent = z.object({ id, type: z.literal('realm_linkifiers'), realm_linkifiers: z.array(linkifier) });

export const realmPlaygroundsEvent = z.object({
  id,
  type: z.literal('realm_playgrounds'),
  realm_playgrounds: z.array(playground),
});

export const profileFieldsEvent = z.object({ id, type: z.literal('custom_profile_fields'), fields: z.array(profileField) });

/** All custom emoji, also deactivated ones. */
export const realmEmojiEvent = z.object({
  id,
  type: z.literal('realm_emoji'),
  op: z.literal('update'),
  realm_emoji: realmEmojiMap,
});

const realmSettings = z.looseObject({
  enable_read_receipts: z.optional(z.boolean()),
  /** Ours. */
  read_receipts: z.optional(readReceiptsShown),
  message_content_edit_limit_seconds: z.nullish(z.int()),
  message_content_delete_limit_seconds: z.nullish(z.int()),
  allow_message_editing: z.optional(z.boolean()),
  delete_own_message_policy: z.optional(z.int()),
});
export type RealmChanges = z.output<typeof realmSettings>;

const realmType = z.literal('realm');
export const realmEvent = z.discriminatedUnion('op', [
  z.object({ id, type: realmType, op: z.literal('update'), ...change }),
  z.object({
    id,
    type: realmType,
    op: z.literal('update_dict'),
    property: z.string(),
    data: realmSettings,
  }),
]);

/** The changed settings of the organisation. Zulip reports some by `update` and some by `update_dict`. */
export function realmChanges(event: z.output<typeof realmEvent>): RealmChanges {
  if (event.op === 'update_dict') return event.data;
  return realmSettings.safeParse({ [event.property]: event.value }).data ?? {};
}

const typingUser = z.object({ user_id: z.int(), email: z.string() });
/** Ephemeral: delivered to waiting queues, not stored. */
export const typingEvent = z.object({
  id,
  type: z.literal('typing'),
  op: z.enum(['start', 'stop']),
  /** Before feature level 215, servers send `private` for `direct`. */
  message_type: z.pipe(
    z.enum(['direct', 'stream', 'private']),
    z.transform((type) => (type === 'private' ? 'direct' : type)),
  ),
  sender: typingUser,
  /** All participants of a direct message, including the sender. */
  recipients: z.optional(z.array(typingUser)),
  stream_id: z.optional(z.int()),
  topic: z.optional(z.string()),
});

/** Ephemeral. With the capability `simplified_presence_events` it has `presences` by user id, else the fields of one user. */
export const presenceEvent = z.object({
  id,
  type: z.literal('presence'),
  presences: z.optional(z.record(z.string(), presence)),
  user_id: z.optional(z.int()),
  email: z.optional(z.string()),
  server_timestamp: z.optional(z.number()),
  presence: z.optional(z.record(z.string(), clientPresence)),
});

export const userStatusEvent = z.extend(userStatus, { id, type: z.literal('user_status'), user_id: z.int() });

export const alertWordsEvent = z.object({ id, type: z.literal('alert_words'), alert_words: z.array(z.string()) });

export const draftsEvent = z.discriminatedUnion('op', [
  z.object({ id, type: z.literal('drafts'), op: z.literal('add'), drafts: z.array(draft) }),
  z.object({ id, type: z.literal('drafts'), op: z.literal('update'), draft }),
  z.object({ id, type: z.literal('drafts'), op: z.literal('remove'), draft_id: z.int() }),
]);

const scheduledType = z.literal('scheduled_messages');
export const scheduledMessagesEvent = z.discriminatedUnion('op', [
  z.object({ id, type: scheduledType, op: z.literal('add'), scheduled_messages: z.array(scheduledMessage) }),
  z.object({ id, type: scheduledType, op: z.literal('update'), scheduled_message: scheduledMessage }),
  z.object({ id, type: scheduledType, op: z.literal('remove'), scheduled_message_id: z.int() }),
]);

/** `visibility_policy` 0: the member has removed their choice. */
export const userTopicEvent = z.extend(userTopic, { id, type: z.literal('user_topic') });
/** All muted topics, for queues that do not name `user_topic`. */
export const mutedTopicsEvent = z.object({ id, type: z.literal('muted_topics'), muted_topics: z.array(mutedTopic) });
export const mutedUsersEvent = z.object({ id, type: z.literal('muted_users'), muted_users: z.array(mutedUser) });

/** The ids of the streams that new members join. */
export const defaultStreamsEvent = z.object({ id, type: z.literal('default_streams'), default_streams: streamIds });

export const userSettingsEvent = z.object({ id, type: z.literal('user_settings'), op: z.literal('update'), ...change });

export const pointerEvent = z.object({ id, type: z.literal('pointer'), pointer: z.int() });

/** Ours. `user_ids` are the members concerned, if there are few. */
export const directoryEvent = z.object({
  id,
  type: z.literal('directory'),
  user_ids: z.array(z.int()),
  /** The changed entries. Without them, as for guests and after large changes, the client fetches the whole directory. */
  people: z.optional(z.array(directoryEntry)),
  /** Whether the client fetches the departments. Default: yes. */
  departments: z.optional(z.boolean()),
});
/** @param people undefined if there are more than `maxDirectoryPeople`, or if they are unknown. */
export type DirectoryChange = Required<Pick<z.output<typeof directoryEvent>, 'departments' | 'people'>>;
/** The most entries of an event, some 100 bytes each. Every client receives them. */
export const maxDirectoryPeople = 100;

/** Ours, ephemeral: the newest state of a call in a conversation of the member. `callState` of `calls.ts` parses it where calls are loaded. */
export const callEvent = z.object({ id, type: z.literal('call'), call: z.unknown() });

export const heartbeatEvent = z.object({ id, type: z.literal('heartbeat') });

const byType = {
  message: messageEvent,
  update_message: updateMessageEvent,
  delete_message: deleteMessageEvent,
  update_message_flags: messageFlagsEvent,
  reaction: reactionEvent,
  subscription: subscriptionEvent,
  stream: streamEvent,
  realm_user: realmUserEvent,
  user_group: userGroupEvent,
  realm_bot: realmBotEvent,
  realm_emoji: realmEmojiEvent,
  realm_linkifiers: realmLinkifiersEvent,
  realm_playgrounds: realmPlaygroundsEvent,
  custom_profile_fields: profileFieldsEvent,
  realm: realmEvent,
  typing: typingEvent,
  presence: presenceEvent,
  user_status: userStatusEvent,
  alert_words: alertWordsEvent,
  drafts: draftsEvent,
  scheduled_messages: scheduledMessagesEvent,
  default_streams: defaultStreamsEvent,
  user_topic: userTopicEvent,
  muted_topics: mutedTopicsEvent,
  muted_users: mutedUsersEvent,
  user_settings: userSettingsEvent,
  pointer: pointerEvent,
  directory: directoryEvent,
  call: callEvent,
  heartbeat: heartbeatEvent,
} as const;

export type EventType = keyof typeof byType;

export type KnownEvent = z.output<(typeof byType)[EventType]>;
/** An event of a type or operation that this version does not know. The client acknowledges and ignores it. */
export interface UnknownEvent {
  readonly id: number;
  readonly type: 'unknown';
  readonly original: unknown;
}
export type ServerEvent = KnownEvent | UnknownEvent;

const isKnownType = (type: string): type is EventType => Object.hasOwn(byType, type);

/** Parses one event. A malformed event of a known type is rejected, so that it is never applied in part. */
export const serverEvent = z.pipe(
  z.looseObject({ id, type: z.string() }),
  z.transform((raw, context): ServerEvent => {
    const unknown: UnknownEvent = { id: raw.id, type: 'unknown', original: raw };
    // Everybody who knows this address can post to the stream, so no client keeps it.
    if (raw['property'] === 'email_address') return { ...unknown, original: undefined };
    if (!isKnownType(raw.type)) return unknown;
    const parsed = byType[raw.type].safeParse(raw);
    if (parsed.success) return parsed.data;
    // An unknown `op` can come from a newer server and is ignored, but an event without `op` is malformed.
    const isNewOperation = typeof raw['op'] === 'string' && parsed.error.issues.some((issue) => issue.path[0] === 'op');
    if (isNewOperation) return unknown;
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: raw, code: 'custom', params: {} });
    return z.NEVER;
  }),
);
