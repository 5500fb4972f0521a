import { z } from 'zod';
import { type Viewer, audienceOf, visibleStream } from '../conversations/access.ts';
import { memberships } from '../conversations/memberships.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { perEvent } from '../events/batch.ts';
import { type EventSerializer, serializeAsLogged } from '../events/delivery.ts';
import { type NewEvent, toSelf } from '../events/log.ts';
import type { Queue } from '../events/queues.ts';
import { isGuest } from '../identity/member.ts';
import { isNotification, notificationDefaults } from './notifications.ts';
import { streamView, streamViewFor, subscriptionView } from './view.ts';

type Content = Pick<NewEvent, 'type' | 'payload'>;

/** The event contains the stream at the time of delivery. */
export const streamCreated = ({ conversation_id: conversationId }: StreamRow): Content => ({
  type: 'stream',
  payload: { op: 'create', conversationId },
});

export const streamDeleted = (stream: StreamRow): Content => ({
  type: 'stream',
  payload: { op: 'delete', streams: [streamView(stream)], stream_ids: [stream.conversation_id] },
});

/** To members who are leaving and no longer see the stream. To them it is deleted. */
export const streamHidden = (stream: StreamRow, leavers: readonly Pick<Viewer, 'id'>[]): NewEvent => {
  const { type, payload } = streamDeleted(stream);
  return {
    reach: 'members',
    reachId: stream.conversation_id,
    type,
    payload: { ...payload, user_ids: leavers.map(({ id }) => id) },
  };
};

/** @param stream the stream before the change. */
export const streamUpdated = (
  stream: StreamRow,
  property: string,
  value: string | number | null,
  more: Readonly<Record<string, string>> = {},
): NewEvent => ({
  ...audienceOf(stream),
  type: 'stream',
  payload: { op: 'update', stream_id: stream.conversation_id, name: stream.name, property, value, ...more },
});

export const subscriptionAdded = ({ conversation_id: conversationId }: StreamRow): Content => ({
  type: 'subscription',
  payload: { op: 'add', conversationId },
});

export const subscriptionRemoved = ({ conversation_id: stream_id, name }: StreamRow): Content => ({
  type: 'subscription',
  payload: { op: 'remove', subscriptions: [{ name, stream_id }] },
});

export const subscriptionUpdated = (
  member: Pick<Viewer, 'id'>,
  streamId: number,
  property: string,
  value: string | boolean | null,
): NewEvent => toSelf(member, { type: 'subscription', payload: { op: 'update', stream_id: streamId, property, value } });

export const putAwayRestored = (streamId: number, userIds: readonly number[]): NewEvent => ({
  reach: 'members',
  reachId: streamId,
  type: 'subscription',
  payload: { op: 'update', stream_id: streamId, property: 'put_away', value: false, user_ids: userIds },
});

export const peersChanged = (
  stream: StreamRow,
  op: 'peer_add' | 'peer_remove',
  peers: readonly Pick<Viewer, 'id'>[],
): NewEvent => ({
  ...audienceOf(stream),
  type: 'subscription',
  payload: { op, stream_ids: [stream.conversation_id], user_ids: peers.map(({ id }) => id) },
});

export const defaultStreamsChanged = (reader: Reader): NewEvent => ({
  type: 'default_streams',
  reach: 'members_without_guests',
  payload: { default_streams: streams.defaultIds(reader) },
});

/** Undefined if all in the reach of the event receive it. */
const recipients = z.array(z.int()).optional();

const subscriptionPayload = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), conversationId: z.int() }),
  z.object({ op: z.literal('remove'), subscriptions: z.array(z.object({ name: z.string(), stream_id: z.int() })) }),
  z.object({
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.union([z.string(), z.boolean(), z.null()]),
    user_ids: recipients,
  }),
  z.object({ op: z.enum(['peer_add', 'peer_remove']), stream_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
]);

const streamPayload = z.union([
  z.object({ op: z.literal('create'), conversationId: z.int() }),
  z.looseObject({ op: z.literal('delete'), streams: z.array(z.looseObject({})), user_ids: recipients }),
  z.looseObject({ op: z.literal('update') }),
]);

const streamChange = perEvent((event) => {
  const payload = streamPayload.parse(JSON.parse(event.payload));
  return { payload, userIds: payload.op === 'delete' && payload.user_ids ? new Set(payload.user_ids) : undefined };
});

const subscriptionChange = perEvent((event) => {
  const payload = subscriptionPayload.parse(JSON.parse(event.payload));
  return { payload, userIds: payload.op === 'update' && payload.user_ids ? new Set(payload.user_ids) : undefined };
});

const serializeSubscription: EventSerializer = (event, queue, batch) => {
  const { payload, userIds } = subscriptionChange(event, batch);
  const { id: userId } = queue.member;
  switch (payload.op) {
    case 'remove':
      return serializeAsLogged(event, queue, batch);
    case 'update': {
      if (userIds?.has(userId) === false) return undefined;
      const { user_ids: _, value: set, property, ...rest } = payload;
      // Clients without `notification_settings_null` receive the effective value instead of null.
      const value = set ?? (isNotification(property) ? defaultsFor(batch.reader, queue)?.[property] : null) ?? null;
      return batch.shared(`${event.id} ${String(value)}`, () =>
        JSON.stringify({ ...rest, property, value, type: event.type, id: event.id }),
      );
    }
    case 'add': {
      // The current subscription. If it has ended, another event reports the end.
      const membership = memberships.current(batch.reader, payload.conversationId, userId);
      const stream = streams.byId(batch.reader, payload.conversationId);
      if (!membership || !stream) return undefined;
      const options = { subscribers: true, defaults: defaultsFor(batch.reader, queue) };
      const subscriptions = [subscriptionView(batch.reader, queue.member, stream, membership, options)];
      return JSON.stringify({ type: event.type, op: 'add', subscriptions, id: event.id });
    }
    default: {
      // The recipient is left out of the list, because they get an `add` or `remove` event about themselves.
      const { user_ids, ...rest } = payload;
      if (!user_ids.includes(userId)) return serializeAsLogged(event, queue, batch);
      const others = user_ids.filter((id) => id !== userId);
      return others.length === 0 ? undefined : JSON.stringify({ ...rest, user_ids: others, type: event.type, id: event.id });
    }
  }
};

const defaultsFor = (reader: Reader, { member, options }: Queue) =>
  notificationDefaults(reader, member.id, options.notification_settings_null);

const serializeStream: EventSerializer = (event, queue, batch) => {
  const { payload, userIds } = streamChange(event, batch);
  const { member } = queue;
  const { type, id } = event;
  if (payload.op === 'create') {
    const stream = visibleStream(batch.reader, member, payload.conversationId);
    if (!stream) return undefined;
    const write = () => JSON.stringify({ type, op: 'create', streams: [streamViewFor(member, stream)], id });
    return batch.shared(`${id} ${isGuest(member)}`, write);
  }
  if (payload.op === 'update') return serializeAsLogged(event, queue, batch);
  if (userIds?.has(member.id) === false) return undefined;
  const { user_ids: _, streams: deleted, ...rest } = payload;
  return batch.shared(`${id} ${isGuest(member)}`, () => {
    const shown = isGuest(member) ? deleted.map((stream) => ({ ...stream, creator_id: null })) : deleted;
    return JSON.stringify({ ...rest, streams: shown, type, id });
  });
};

export const streamEvents: readonly (readonly [string, EventSerializer])[] = [
  ['subscription', serializeSubscription],
  ['stream', serializeStream],
];
