import { z } from 'zod';
import { message, reaction, stream, subscription, user } from './entities.ts';

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
  message_id: z.int(),
  message_ids: z.array(z.int()),
  flags: z.array(z.string()),
  edit_timestamp: z.int(),
  rendering_only: z.boolean().optional(),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  stream_id: z.int().optional(),
  new_stream_id: z.int().optional(),
  subject: z.string().optional(),
});

export const deleteMessageEvent = z.object({
  id,
  type: z.literal('delete_message'),
  message_type: z.enum(['stream', 'private']),
  message_id: z.int().optional(),
  message_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
});

export const messageFlagsEvent = z.object({
  id,
  type: z.literal('update_message_flags'),
  op: z.enum(['add', 'remove']),
  operation: z.enum(['add', 'remove']).optional(),
  flag: z.string(),
  messages: z.array(z.int()),
  all: z.boolean(),
  /** Where `read` is removed, by message id: the stream in which it counts again. */
  message_details: z.record(z.string(), z.object({ stream_id: z.int().optional() })).optional(),
});

export const reactionEvent = reaction.extend({
  id,
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: z.int(),
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
  z.object({ id, type: streamType, op: z.enum(['create', 'delete']), streams: z.array(stream) }),
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
    person: z.looseObject({ user_id: z.int(), full_name: z.string().optional(), avatar_url: z.string().nullish() }),
  }),
]);

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
