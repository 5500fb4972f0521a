import { maxStreamsListed } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { remembered } from '../events/batch.ts';
import { isAdministrator, isGuest } from '../identity/member.ts';
import { type Viewer, activeViewer } from '../privacy/seenUsers.ts';
import { type Period, memberships } from './memberships.ts';
import { type StreamRow, streams } from './streams.ts';

export type { Viewer } from '../identity/member.ts';

/** A range of message ids: above `after`, up to and including `upTo`. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

/** `up` visits message ids in ascending order. */
export type Direction = 'up' | 'down';

/** The order of ids in SQL. */
export const orderOf = { up: 'asc', down: 'desc' } as const satisfies Record<Direction, string>;

type Placed = { readonly id: number; readonly conversation_id: number };

const everything: readonly Span[] = [{ after: 0, upTo: Number.MAX_SAFE_INTEGER }];

/**
 * THE rule of who may read what. A current member reads a whole shared history, or else messages sent during their memberships.
 * A former member reads nothing. Every member except a guest reads a public stream.
 */
export function readable(reader: Reader, viewer: Viewer, conversationId: number): readonly Span[] {
  return readableIn(reader, viewer, conversationId, memberships.of(reader, conversationId, viewer.id));
}

export function readableIn(reader: Reader, viewer: Viewer, conversationId: number, periods: readonly Period[]): readonly Span[] {
  const own = ownSpans(reader, viewer, conversationId, periods);
  const owners = own.length === 0 ? undefined : spansOfOwner(reader, viewer, conversationId);
  return owners ? overlap(own, owners) : own;
}

/**
 * THE limit of a bot: it reads nothing of a stream that its owner does not read now. A direct conversation is a matter of its
 * participants. @returns undefined if nothing limits the viewer.
 */
function spansOfOwner(reader: Reader, { ownerId }: Viewer, conversationId: number): readonly Span[] | undefined {
  if (ownerId === null || !streams.byId(reader, conversationId)) return undefined;
  const owner = activeViewer(reader, ownerId);
  return owner ? readable(reader, owner, conversationId) : [];
}

/** Whether the owner of a bot lets it receive the events of a conversation. True for people. */
export function ownerReads(reader: Reader, viewer: Viewer, conversationId: number): boolean {
  return spansOfOwner(reader, viewer, conversationId)?.length !== 0;
}

function overlap(some: readonly Span[], others: readonly Span[]): Span[] {
  return some
    .flatMap((one) => others.map((other) => ({ after: Math.max(one.after, other.after), upTo: Math.min(one.upTo, other.upTo) })))
    .filter(({ after, upTo }) => after < upTo);
}

function ownSpans(reader: Reader, viewer: Viewer, conversationId: number, periods: readonly Period[]): readonly Span[] {
  const current = periods.find((period) => period.ended_event === null);
  if (current) return current.shared_history ? everything : receivedIn(periods);
  return isOpenTo(viewer, streams.byId(reader, conversationId)) ? everything : [];
}

/** Whether a viewer may read and join a stream without being added. */
export function isOpenTo(viewer: Pick<Viewer, 'role'>, stream: StreamRow | undefined): boolean {
  return entersPublicStreams(viewer) && isPublic(stream);
}

export const entersPublicStreams = (viewer: Pick<Viewer, 'role'>): boolean => !isGuest(viewer);

export function isPublic(stream: StreamRow | undefined): boolean {
  return stream !== undefined && stream.invite_only === 0 && stream.is_archived === 0;
}

/** Events about a stream reach all members who can see it. */
export function audienceOf(stream: StreamRow) {
  return { reach: isPublic(stream) ? 'viewers' : 'members', reachId: stream.conversation_id } as const;
}

export function mayRead(reader: Reader, viewer: Viewer, message: Placed): boolean {
  return within(message.id, readable(reader, viewer, message.conversation_id));
}

/** Like `mayRead` for many messages: it looks up each conversation only once. */
export function mayReadEach(reader: Reader, viewer: Viewer): (message: Placed) => boolean {
  const known = new Map<number, readonly Span[]>();
  return ({ id, conversation_id: conversationId }) =>
    within(
      id,
      remembered(known, conversationId, () => readable(reader, viewer, conversationId)),
    );
}

export function isMember(reader: Reader, conversationId: number, userId: number): boolean {
  return memberships.current(reader, conversationId, userId) !== undefined;
}

/** The message ids that were sent to a member during their memberships of a conversation. Only these can be unread. */
export function received(reader: Reader, userId: number, conversationId: number): readonly Span[] {
  return receivedIn(memberships.of(reader, conversationId, userId));
}

export function receivedIn(periods: readonly Pick<Period, 'began_message' | 'ended_message'>[]): readonly Span[] {
  return periods.map(({ began_message: after, ended_message: upTo }) => ({ after, upTo: upTo ?? Number.MAX_SAFE_INTEGER }));
}

export const within = (id: number, spans: readonly Span[]): boolean => contains(spans, id, id);

/** Whether one of the spans contains all ids from `first` to `last`. */
export function contains(spans: readonly Span[], first: number, last: number): boolean {
  return spans.some(({ after, upTo }) => first > after && last <= upTo);
}

export function visibleStream(reader: Reader, viewer: Viewer, named: string | number): StreamRow | undefined {
  const stream = openStream(reader, named);
  return stream && readable(reader, viewer, stream.conversation_id).length > 0 ? stream : undefined;
}

export function visibleStreamOf(reader: Reader, viewer: Viewer, streamId: number): StreamRow {
  const stream = visibleStream(reader, viewer, streamId);
  if (!stream) throw refused.invalidStreamId();
  return stream;
}

/** Administrators know all streams, but read only streams that they can see. @returns undefined if the viewer may not know it. */
export function knownStream(reader: Reader, viewer: Viewer, named: string | number): StreamRow | undefined {
  return isAdministrator(viewer) ? openStream(reader, named) : visibleStream(reader, viewer, named);
}

function openStream(reader: Reader, named: string | number): StreamRow | undefined {
  const stream = typeof named === 'number' ? streams.byId(reader, named) : streams.byName(reader, named);
  return stream?.is_archived === 0 ? stream : undefined;
}

export function publicStreams(reader: Reader, viewer: Viewer): StreamRow[] {
  return entersPublicStreams(viewer) ? streams.public(reader, maxStreamsListed) : [];
}
