import type { NewEvent } from '../events/log.ts';
import { type Viewer, audienceOf } from '../conversations/access.ts';
import type { StreamRow } from '../conversations/streams.ts';
import { streamView } from './view.ts';

/** What an event says. Whom it reaches is for the change to say. */
type Telling = Pick<NewEvent, 'type' | 'payload'>;

export const toSelf = ({ id }: Viewer, telling: Telling): NewEvent => ({ ...telling, reach: 'self', reachId: id });

/** To those who could not see a stream before. It is told as it is when they hear of it. */
export const created = ({ conversation_id: conversationId }: StreamRow): Telling => ({
  type: 'stream',
  payload: { op: 'create', conversationId },
});

/** To those who could see a stream and cannot any more: it is told as it was. */
export const gone = (stream: StreamRow): Telling => ({
  type: 'stream',
  payload: { op: 'delete', streams: [streamView(stream)], stream_ids: [stream.conversation_id] },
});

export const subscribedTo = ({ conversation_id: conversationId }: StreamRow): Telling => ({
  type: 'subscription',
  payload: { op: 'add', conversationId },
});

export const unsubscribedFrom = ({ conversation_id: stream_id, name }: StreamRow): Telling => ({
  type: 'subscription',
  payload: { op: 'remove', subscriptions: [{ name, stream_id }] },
});

/** To those who can see a stream: something of it is now so. The name is what it was called until then. */
export const changed = (
  stream: StreamRow,
  property: string,
  value: string | null,
  more: Readonly<Record<string, string>> = {},
): NewEvent => ({
  ...audienceOf(stream),
  type: 'stream',
  payload: { op: 'update', stream_id: stream.conversation_id, name: stream.name, property, value, ...more },
});

/** To a member: what they have set of a subscription. */
export const propertySet = (member: Viewer, streamId: number, property: string, value: string | boolean | null): NewEvent =>
  toSelf(member, { type: 'subscription', payload: { op: 'update', stream_id: streamId, property, value } });

/** To these members: a stream that they had put away is back. */
export const broughtBack = (streamId: number, userIds: readonly number[]): NewEvent => ({
  reach: 'members',
  reachId: streamId,
  type: 'subscription',
  payload: { op: 'update', stream_id: streamId, property: 'put_away', value: false, user_ids: userIds },
});

/** To those who can see a stream: others came or went. */
export const peersChanged = (
  stream: StreamRow,
  op: 'peer_add' | 'peer_remove',
  peers: readonly Pick<Viewer, 'id'>[],
): NewEvent => ({
  ...audienceOf(stream),
  type: 'subscription',
  payload: { op, stream_ids: [stream.conversation_id], user_ids: peers.map(({ id }) => id) },
});
