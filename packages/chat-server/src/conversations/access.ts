import { maxStreamsListed } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type Member, isAdministrator, isGuest } from '../identity/member.ts';
import { type MembershipRow, memberships } from './memberships.ts';
import { type StreamRow, streams } from './streams.ts';

/** Whoever something is looked up for. */
export type Viewer = Pick<Member, 'id' | 'role'>;

/** Message ids above `after`, up to and with `upTo`. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

/** The order of a walk through ids: upwards the lowest first, downwards the highest. */
export type Direction = 'up' | 'down';

/** A message, as far as it says where it stands. */
type Placed = { readonly id: number; readonly conversation_id: number };

/** A stay as far as it says what may be read. */
export type Stay = Pick<MembershipRow, 'began_event' | 'ended_event' | 'began_message' | 'ended_message'> & {
  readonly shared_history: number;
};

const everything: readonly Span[] = [{ after: 0, upTo: Number.MAX_SAFE_INTEGER }];

/**
 * THE rule of who may read what: the parts of a conversation that a member may read now; none when it is not theirs.
 * A current member reads all of a shared history, else what was sent during their stays. One who left reads nothing.
 * A public stream is everybody's but the guests'.
 */
export function readable(reader: Reader, viewer: Viewer, conversationId: number): readonly Span[] {
  return readableIn(reader, viewer, conversationId, memberships.of(reader, conversationId, viewer.id));
}

/** The same where the viewer's stays are known. */
export function readableIn(reader: Reader, viewer: Viewer, conversationId: number, stays: readonly Stay[]): readonly Span[] {
  const current = stays.find((stay) => stay.ended_event === null);
  if (current) return current.shared_history ? everything : receivedIn(stays);
  return isOpenTo(viewer, streams.byId(reader, conversationId)) ? everything : [];
}

/** Whether somebody may read and enter a stream without having been let in. */
export function isOpenTo(viewer: Pick<Viewer, 'role'>, stream: StreamRow | undefined): boolean {
  return entersPublicStreams(viewer) && isPublic(stream);
}

export const entersPublicStreams = (viewer: Pick<Viewer, 'role'>): boolean => !isGuest(viewer);

/** A stream that everybody but guests may read and enter. */
export function isPublic(stream: StreamRow | undefined): boolean {
  return stream !== undefined && stream.invite_only === 0 && stream.is_archived === 0;
}

/** Who hears of what happens to a stream itself: whoever can see it. */
export function audienceOf(stream: StreamRow) {
  return { reach: isPublic(stream) ? 'viewers' : 'members', reachId: stream.conversation_id } as const;
}

export function mayRead(reader: Reader, viewer: Viewer, message: Placed): boolean {
  return within(message.id, readable(reader, viewer, message.conversation_id));
}

/** The same for many messages. What a conversation needs is looked up once, so ask one of these for all of a call. */
export function mayReadEach(reader: Reader, viewer: Viewer): (message: Placed) => boolean {
  const known = new Map<number, readonly Span[]>();
  return ({ id, conversation_id: conversationId }) => {
    const spans = known.get(conversationId) ?? readable(reader, viewer, conversationId);
    known.set(conversationId, spans);
    return within(id, spans);
  };
}

/** Whether a user is subscribed to a stream, or takes part in a direct conversation, now. */
export function isMember(reader: Reader, conversationId: number, userId: number): boolean {
  return memberships.current(reader, conversationId, userId) !== undefined;
}

/** The parts of a conversation that were sent to a member: during their stays. What is unread is among them. */
export function received(reader: Reader, userId: number, conversationId: number): readonly Span[] {
  return receivedIn(memberships.of(reader, conversationId, userId));
}

/** The same where the member's stays are known. */
export function receivedIn(stays: readonly Pick<Stay, 'began_message' | 'ended_message'>[]): readonly Span[] {
  return stays.map(spanOf);
}

function spanOf(stay: Pick<Stay, 'began_message' | 'ended_message'>): Span {
  return { after: stay.began_message, upTo: stay.ended_message ?? Number.MAX_SAFE_INTEGER };
}

export function within(id: number, spans: readonly Span[]): boolean {
  return spans.some(({ after, upTo }) => id > after && id <= upTo);
}

/** A stream by its name or id, as far as a member can see it: one that they may not read is as one that is not. */
export function visibleStream(reader: Reader, viewer: Viewer, named: string | number): StreamRow | undefined {
  const stream = openStream(reader, named);
  return stream && readable(reader, viewer, stream.conversation_id).length > 0 ? stream : undefined;
}

/**
 * A stream as far as a member may know of it: one that they can see, and for administrators every one that there is.
 * What is in it stays with those who can see it.
 */
export function knownStream(reader: Reader, viewer: Viewer, named: string | number): StreamRow | undefined {
  return isAdministrator(viewer) ? openStream(reader, named) : visibleStream(reader, viewer, named);
}

function openStream(reader: Reader, named: string | number): StreamRow | undefined {
  const stream = typeof named === 'number' ? streams.byId(reader, named) : streams.byName(reader, named);
  return stream?.is_archived === 0 ? stream : undefined;
}

/** The public streams, where they are a member's to see; the first `maxStreamsListed`. */
export function publicStreams(reader: Reader, viewer: Viewer): StreamRow[] {
  return entersPublicStreams(viewer) ? streams.public(reader, maxStreamsListed) : [];
}
