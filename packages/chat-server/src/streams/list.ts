import {
  type NeverSubscribed,
  type ParametersOut,
  type Stream,
  type Subscription,
  type getStreams,
  maxStreamsListed,
  maxTopicsListed,
} from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { topics } from '../conversations/topics.ts';
import { isAdministrator } from '../identity/member.ts';
import { type Viewer, knownStream, publicStreams, readable, visibleStream } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import { type Showing, streamView, subscribed, subscribersOf, subscriptionView } from './view.ts';
import { memberships } from '../conversations/memberships.ts';

/** The streams that a member can see. Beside their own at most `maxStreamsListed`. */
export function streamsOf(reader: Reader, member: Viewer): Stream[] {
  return eachOnce([...ownStreams(reader, member), ...publicStreams(reader, member)]).map(streamView);
}

/** The streams that a member asks for, by name. Bounded as `streamsOf` is. Archived ones are not there for anybody. */
export function streamsAsked(reader: Reader, member: Viewer, asked: ParametersOut<typeof getStreams>): Stream[] {
  if (asked.include_all_active && !isAdministrator(member)) throw refused.queryNotPermitted();
  const listed = eachOnce([
    ...(asked.include_subscribed ? ownStreams(reader, member) : []),
    ...(asked.include_public ? publicStreams(reader, member) : []),
    ...(asked.include_all_active ? streams.open(reader, maxStreamsListed) : []),
  ]);
  // There are no streams that everybody is subscribed to from the beginning.
  const more = asked.include_default ? { is_default: false } : {};
  return listed
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((stream) => ({ ...knownView(reader, member, stream), ...more }));
}

const ownStreams = (reader: Reader, { id }: Viewer): StreamRow[] => subscribed(reader, id).map(({ stream }) => stream);

function eachOnce(streams: readonly StreamRow[]): StreamRow[] {
  return [...new Map(streams.map((stream) => [stream.conversation_id, stream])).values()];
}

/**
 * The public streams that a member is not subscribed to: those that they left, with the settings of their last stay,
 * and those in which they never were. Bounded by `maxStreamsListed`, and by the subscribers where they are asked for.
 */
export function otherStreams(reader: Reader, member: Viewer, showing: Showing) {
  const unsubscribed: Subscription[] = [];
  const never_subscribed: NeverSubscribed[] = [];
  for (const stream of publicStreams(reader, member)) {
    const last = memberships.of(reader, stream.conversation_id, member.id).at(-1);
    if (!last) never_subscribed.push({ ...streamView(stream), ...subscribersOf(reader, stream, showing.subscribers) });
    else if (last.ended_event !== null) unsubscribed.push(subscriptionView(reader, stream, last, showing));
  }
  return { unsubscribed, never_subscribed };
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

/** A stream that a member may know of. Its first message is known to those who see into it. */
function knownView(reader: Reader, member: Viewer, stream: StreamRow): Stream {
  const seesInto = readable(reader, member, stream.conversation_id).length > 0;
  return seesInto ? streamView(stream) : { ...streamView(stream), first_message_id: null };
}

/**
 * The topics of what a member may read in a stream, the one with the newest message first, each as it was last written.
 * Bounded by `maxTopicsListed`, however many messages there are.
 */
export function topicsOf(reader: Reader, member: Viewer, streamId: number) {
  if (!visibleStream(reader, member, streamId)) throw refused.invalidStreamId();
  return topics.of(reader, streamId, readable(reader, member, streamId), maxTopicsListed);
}
