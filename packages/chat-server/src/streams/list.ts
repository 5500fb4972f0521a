import {
  type NeverSubscribed,
  type ParametersOut,
  type Stream,
  type Subscription,
  type getStreams,
  type registerQueue,
  maxStreamsListed,
  maxTopicsListed,
} from '@engawa/protocol';
import { type Viewer, isMember, knownStream, publicStreams, readable, visibleStreamOf } from '../conversations/access.ts';
import { memberships } from '../conversations/memberships.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import { topics } from '../conversations/topics.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { isAdministrator } from '../identity/member.ts';
import { seenUser } from '../privacy/seenUsers.ts';
import { notificationDefaults } from './notifications.ts';
import { streamViewFor, subscribedStreams, subscribersView, subscriptionView, subscriptionsOf } from './view.ts';

/** The member's own streams, and at most `maxStreamsListed` public ones. */
export function visibleStreams(reader: Reader, member: Viewer): Stream[] {
  return eachOnce([...ownStreams(reader, member), ...publicStreams(reader, member)]).map((stream) =>
    streamViewFor(member, stream),
  );
}

export function selectedStreams(reader: Reader, member: Viewer, request: ParametersOut<typeof getStreams>): Stream[] {
  if (request.include_all_active && !isAdministrator(member)) throw refused.queryNotPermitted();
  const selected = eachOnce([
    ...(request.include_subscribed ? ownStreams(reader, member) : []),
    ...(request.include_public ? publicStreams(reader, member) : []),
    ...(request.include_all_active ? streams.open(reader, maxStreamsListed) : []),
  ]);
  const more = ({ is_default }: StreamRow) => (request.include_default ? { is_default: is_default === 1 } : {});
  return selected
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((stream) => ({ ...knownView(reader, member, stream), ...more(stream) }));
}

const ownStreams = (reader: Reader, { id }: Viewer): StreamRow[] => subscribedStreams(reader, id).map(({ stream }) => stream);

function eachOnce(rows: readonly StreamRow[]): StreamRow[] {
  return [...new Map(rows.map((stream) => [stream.conversation_id, stream])).values()];
}

/** The streams of a member for register. A subscription that has ended has its last settings. */
export function subscriptionState(
  reader: Reader,
  member: Viewer,
  request: Pick<ParametersOut<typeof registerQueue>, 'include_subscribers' | 'client_capabilities'>,
) {
  const knowsNull = request.client_capabilities['notification_settings_null'] ?? false;
  const options = {
    subscribers: request.include_subscribers,
    defaults: notificationDefaults(reader, member.id, knowsNull),
  };
  const unsubscribed: Subscription[] = [];
  const never_subscribed: NeverSubscribed[] = [];
  for (const stream of publicStreams(reader, member)) {
    const last = memberships.of(reader, stream.conversation_id, member.id).at(-1);
    if (!last)
      never_subscribed.push({ ...streamViewFor(member, stream), ...subscribersView(reader, stream, options.subscribers) });
    else if (last.ended_event !== null) unsubscribed.push(subscriptionView(reader, member, stream, last, options));
  }
  return { subscriptions: subscriptionsOf(reader, member, options), unsubscribed, never_subscribed };
}

export function streamOfId(reader: Reader, member: Viewer, id: number): Stream {
  const stream = knownStream(reader, member, id);
  if (!stream) throw refused.invalidStreamId();
  return knownView(reader, member, stream);
}

export function streamIdOf(reader: Reader, member: Viewer, name: string): number {
  const stream = knownStream(reader, member, name);
  if (!stream) throw refused.because(`Invalid stream name '${name}'`);
  return stream.conversation_id;
}

/** The first message is shown only to members who can read the stream. */
function knownView(reader: Reader, member: Viewer, stream: StreamRow): Stream {
  const canRead = readable(reader, member, stream.conversation_id).length > 0;
  return { ...streamViewFor(member, stream), ...(canRead ? {} : { first_message_id: null }) };
}

/** The active subscribers. Administrators who are not in a private stream do not learn who is. */
export function subscribersOf(reader: Reader, member: Viewer, streamId: number): number[] {
  return memberships.subscribers(reader, visibleStreamOf(reader, member, streamId).conversation_id);
}

export function isSubscribed(reader: Reader, member: Viewer, userId: number, streamId: number): boolean {
  const user = seenUser(reader, member, userId);
  return isMember(reader, visibleStreamOf(reader, member, streamId).conversation_id, user.id);
}

/** Ordered by the newest message that the member may read. Each topic is spelled as in that message. */
export function topicsOf(reader: Reader, member: Viewer, streamId: number) {
  visibleStreamOf(reader, member, streamId);
  return topics.of(reader, streamId, readable(reader, member, streamId), maxTopicsListed);
}
