import { z } from 'zod';
import { message, reaction, readReceiptsShown, role, stream, subscription, user } from './entities.ts';
import { clientPresence, presence } from './presence.ts';
import { userStatus } from './userStatus.ts';

const id = z.int();

export const messageEvent = z.object({
  id,
  type: z.literal('message'),
  message,
  flags: z.array(z.string()),
  /** The sender's own mark, only on the queue that was named when it was sent. */
  local_message_id: z.string().optional(),
});

export const updateMessageEvent = z.object({
  id,
  type: z.literal('update_message'),
  /** Null when nobody did: the server rendered it anew. */
  user_id: z.int().nullish(),
  message_id: z.int(),
  /** Every message that changed, ascending; `message_id` among them. */
  message_ids: z.array(z.int()),
  /** The recipient's, after the change. */
  flags: z.array(z.string()),
  edit_timestamp: z.int(),
  rendering_only: z.boolean().optional(),
  stream_id: z.int().optional(),
  stream_name: z.string().optional(),
  // when the content changed: as typed, whatever the queue asked for, and as HTML
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  orig_content: z.string().optional(),
  orig_rendered_content: z.string().optional(),
  is_me_message: z.boolean().optional(),
  // when the topic or the stream changed
  new_stream_id: z.int().optional(),
  subject: z.string().optional(),
  orig_subject: z.string().optional(),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })).optional(),
  propagate_mode: z.string().optional(),
});

/** One `message_id`, or with the capability `bulk_message_deletion` all `message_ids`. */
export const deleteMessageEvent = z.object({
  id,
  type: z.literal('delete_message'),
  message_type: z.enum(['stream', 'private']),
  message_id: z.int().optional(),
  message_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});

export const messageFlagsEvent = z.object({
  id,
  type: z.literal('update_message_flags'),
  op: z.enum(['add', 'remove']),
  operation: z.enum(['add', 'remove']).optional(),
  flag: z.string(),
  messages: z.array(z.int()),
  all: z.boolean(),
  /** Where `read` is removed, by message id: the place in which it counts again. */
  message_details: z
    .record(
      z.string(),
      z.object({
        type: z.enum(['stream', 'private']),
        mentioned: z.boolean().optional(),
        stream_id: z.int().optional(),
        topic: z.string().optional(),
        /** In a direct message: the others. */
        user_ids: z.array(z.int()).optional(),
      }),
    )
    .optional(),
});

export const reactionEvent = reaction.extend({
  id,
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: z.int(),
  /** Who reacted, for older clients. */
  user: z.object({ user_id: z.int(), email: z.string(), full_name: z.string() }).optional(),
});

const subscriptionType = z.literal('subscription');
export const subscriptionEvent = z.discriminatedUnion('op', [
  z.object({ id, type: subscriptionType, op: z.literal('add'), subscriptions: z.array(subscription) }),
  z.object({
    id,
    type: subscriptionType,
    op: z.literal('remove'),
    subscriptions: z.array(z.object({ name: z.string(), stream_id: z.int() })),
  }),
  z.object({
    id,
    type: subscriptionType,
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.unknown(),
  }),
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
    streams: z.array(z.looseObject({ stream_id: z.int() })),
    stream_ids: z.array(z.int()).optional(),
  }),
  z.object({
    id,
    type: streamType,
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.unknown(),
  }),
]);

const realmUserType = z.literal('realm_user');
export const realmUserEvent = z.discriminatedUnion('op', [
  z.object({ id, type: realmUserType, op: z.literal('add'), person: user }),
  z.object({
    id,
    type: realmUserType,
    op: z.enum(['update', 'remove']),
    /** What changed, beside the id. */
    person: z.looseObject({
      user_id: z.int(),
      full_name: z.string().optional(),
      /** As it is; `new_email` is what it became. */
      email: z.string().optional(),
      new_email: z.string().optional(),
      delivery_email: z.string().nullish(),
      timezone: z.string().optional(),
      avatar_url: z.string().nullish(),
      role: role.optional(),
      is_active: z.boolean().optional(),
    }),
  }),
]);

const realmType = z.literal('realm');
/** What the organisation has chosen for all: of it only what some screen shows. */
export const realmEvent = z.discriminatedUnion('op', [
  z.object({ id, type: realmType, op: z.literal('update'), property: z.string(), value: z.unknown() }),
  z.object({
    id,
    type: realmType,
    op: z.literal('update_dict'),
    property: z.string(),
    data: z.looseObject({
      enable_read_receipts: z.boolean().optional(),
      /** Ours, as in register. */
      read_receipts: readReceiptsShown.optional(),
      /** Null: always. */
      message_content_edit_limit_seconds: z.int().nullish(),
      message_content_delete_limit_seconds: z.int().nullish(),
    }),
  }),
]);

const typingUser = z.object({ user_id: z.int(), email: z.string() });
/** It is told to those who are there, and not kept. */
export const typingEvent = z.object({
  id,
  type: z.literal('typing'),
  op: z.enum(['start', 'stop']),
  /** `private` is the word for `direct` before feature level 215. */
  message_type: z.enum(['direct', 'stream', 'private']).transform((type) => (type === 'private' ? 'direct' : type)),
  sender: typingUser,
  /** In a direct message: everyone, the sender included. */
  recipients: z.array(typingUser).optional(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});

/**
 * Somebody has come, or shows no longer whether they are there. It is told to those who are there, and not kept. With
 * the capability `simplified_presence_events` it is about all of `presences`, by user id as text; else about one user.
 */
export const presenceEvent = z.object({
  id,
  type: z.literal('presence'),
  presences: z.record(z.string(), presence).optional(),
  user_id: z.int().optional(),
  /** Missing where the queue asked for `slim_presence`. */
  email: z.string().optional(),
  server_timestamp: z.number().optional(),
  /** By client. */
  presence: z.record(z.string(), clientPresence).optional(),
});

/** What somebody says of themselves at the moment. What is empty they say no longer. */
export const userStatusEvent = userStatus.extend({ id, type: z.literal('user_status'), user_id: z.int() });

/** All of them, as they are then. */
export const alertWordsEvent = z.object({ id, type: z.literal('alert_words'), alert_words: z.array(z.string()) });

/** Of the member's own: what they have chosen, on all their devices. */
export const userSettingsEvent = z.object({
  id,
  type: z.literal('user_settings'),
  op: z.literal('update'),
  property: z.string(),
  value: z.unknown(),
});

export const pointerEvent = z.object({ id, type: z.literal('pointer'), pointer: z.int() });

/**
 * Ours: departments, who belongs to them, readings or posts are others now; the product's own calls answer with them.
 * `user_ids`: whom it is about, the first of them.
 */
export const directoryEvent = z.object({ id, type: z.literal('directory'), user_ids: z.array(z.int()) });

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
  realm: realmEvent,
  typing: typingEvent,
  presence: presenceEvent,
  user_status: userStatusEvent,
  alert_words: alertWordsEvent,
  user_settings: userSettingsEvent,
  pointer: pointerEvent,
  directory: directoryEvent,
  heartbeat: heartbeatEvent,
} as const;

export type EventType = keyof typeof byType;

const knownEvent = z.union([
  messageEvent,
  updateMessageEvent,
  deleteMessageEvent,
  messageFlagsEvent,
  reactionEvent,
  subscriptionEvent,
  streamEvent,
  realmUserEvent,
  realmEvent,
  typingEvent,
  presenceEvent,
  userStatusEvent,
  alertWordsEvent,
  userSettingsEvent,
  pointerEvent,
  directoryEvent,
  heartbeatEvent,
]);
export type KnownEvent = z.output<typeof knownEvent>;
/** An event of a type or an operation that is not in this book: to be acknowledged and otherwise ignored. */
export interface UnknownEvent {
  readonly id: number;
  readonly type: 'unknown';
  readonly original: unknown;
}
export type ServerEvent = KnownEvent | UnknownEvent;

function isKnownType(type: string): type is EventType {
  return Object.hasOwn(byType, type);
}

/** One event as it arrives. A known type is checked strictly, so that a malformed event is never half applied. */
export const serverEvent = z.looseObject({ id, type: z.string() }).transform((raw, context): ServerEvent => {
  const unknown: UnknownEvent = { id: raw.id, type: 'unknown', original: raw };
  if (!isKnownType(raw.type)) return unknown;
  const parsed = byType[raw.type].safeParse(raw);
  if (parsed.success) return parsed.data;
  // A new operation of a known type. An operation that is no text, or missing, is no operation at all.
  const isNewOperation = typeof raw['op'] === 'string' && parsed.error.issues.some((issue) => issue.path[0] === 'op');
  if (isNewOperation) return unknown;
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: raw, code: 'custom', params: {} });
  return z.NEVER;
});
