import { roles } from '@engawa/protocol';
import { audience, isAdministrator, isIn, canSee, seesUser } from './access.ts';
import { type Model, type Place, type Stream, type User, ascending } from './model.ts';
import { markAllRead } from './reading.ts';
import { publishSight } from './sight.ts';

export type StreamPrivacy = 'default' | 'public' | 'private' | 'shared';

export interface SubscribeRequest {
  readonly name: string;
  readonly privacy: StreamPrivacy;
  readonly users: readonly number[];
}

export function subscribeRefusal(model: Model, by: User, { name, privacy, users }: SubscribeRequest): string | undefined {
  if (by.role === roles.guest) return 'Not allowed for guest users';
  if (users.some((id) => !model.user(id).isActive)) return 'User is deactivated';
  const stream = model.openStream(name);
  if (stream && canSee(by, stream)) return undefined;
  // The error must not reveal whether the stream exists.
  if (privacy === 'public' && !isAdministrator(by)) return 'Insufficient permission';
  return stream && `Unable to access stream (${name}).`;
}

export function createStream(
  model: Model,
  id: number,
  creator: number,
  { name, privacy }: Omit<SubscribeRequest, 'users'>,
): Stream {
  const isPublic = privacy === 'public';
  const stream: Stream = {
    kind: 'stream',
    id,
    name,
    creator,
    isPublic,
    isShared: privacy !== 'private',
    subscribers: new Set(),
    everSubscribed: new Set(),
    putAwayBy: new Set(),
    isArchived: false,
  };
  model.streams.set(id, stream);
  model.publish(audience(model, stream), { type: 'stream', op: 'create', stream });
  return stream;
}

/** @returns the new subscribers. */
export function subscribe(model: Model, stream: Stream, users: readonly number[]): number[] {
  const newcomers = users.filter((id) => !stream.subscribers.has(id));
  publishSight(model, 'add', stream.subscribers, newcomers);
  for (const id of newcomers) {
    if (!canSee(model.user(id), stream)) model.publish([id], { type: 'stream', op: 'create', stream });
    model.publish([id], { type: 'subscription', op: 'add', stream });
  }
  publishPeers(model, stream, 'peer_add', newcomers);
  for (const id of newcomers) {
    stream.subscribers.add(id);
    stream.everSubscribed.add(id);
  }
  return newcomers;
}

/** Every user who sees the stream receives the other users of the change. */
function publishPeers(model: Model, stream: Stream, op: 'peer_add' | 'peer_remove', users: readonly number[]): void {
  for (const id of audience(model, stream)) {
    const others = users.filter((each) => each !== id);
    if (others.length > 0) model.publish([id], { type: 'subscription', op, stream, users: others });
  }
}

export interface UnsubscribeRequest {
  readonly name: string;
  readonly users: readonly number[];
}

export function unsubscribeRefusal(model: Model, by: User, { name, users }: UnsubscribeRequest): string | undefined {
  const refused = users.find((id) => !seesUser(model, by, id) || !model.user(id).isActive);
  if (refused !== undefined) return seesUser(model, by, refused) ? 'User is deactivated' : 'No such user';
  const stream = model.openStream(name);
  if (users.some((id) => id !== by.id) && !manages(by, stream)) return 'Insufficient permission';
  const isKnown = stream && (isAdministrator(by) || canSee(by, stream));
  return isKnown ? undefined : `Stream(s) (${name}) do not exist`;
}

/** Administrators manage every stream; the creator only while subscribed and not a guest. */
function manages(user: User, stream: Stream | undefined): boolean {
  if (isAdministrator(user)) return true;
  return (
    stream !== undefined && !stream.isArchived && stream.creator === user.id && user.role !== roles.guest && isIn(stream, user)
  );
}

export function setPutAway(model: Model, user: User, id: number, isPutAway: boolean): string | undefined {
  const stream = model.streams.get(id);
  if (!stream || !isIn(stream, user)) return `Not subscribed to stream id ${id}`;
  if (stream.putAwayBy.has(user.id) !== isPutAway) changePutAway(model, stream, user.id, isPutAway);
  return undefined;
}

/** A stream that a user archived returns to their list when a message mentions them. */
export function returnToLists(model: Model, place: Place, by: number, isMentioned: (user: User) => boolean): void {
  if (place.kind === 'direct') return;
  const back = [...place.putAwayBy].filter((id) => id !== by && isMentioned(model.user(id)));
  for (const id of back) changePutAway(model, place, id, false);
}

function changePutAway(model: Model, stream: Stream, id: number, isPutAway: boolean): void {
  if (isPutAway) stream.putAwayBy.add(id);
  else stream.putAwayBy.delete(id);
  model.publish([id], { type: 'subscription', op: 'update', stream, isPutAway });
}

/** @returns the users who have left. */
export function unsubscribe(model: Model, stream: Stream, users: readonly number[]): number[] {
  const leavers = users.filter((id) => stream.subscribers.has(id));
  for (const id of leavers) {
    markAllRead(model, model.user(id), stream);
    stream.subscribers.delete(id);
    stream.putAwayBy.delete(id);
    model.publish([id], { type: 'subscription', op: 'remove', stream });
    if (!canSee(model.user(id), stream)) model.publish([id], { type: 'stream', op: 'delete', stream });
  }
  publishPeers(model, stream, 'peer_remove', leavers);
  publishSight(model, 'remove', stream.subscribers, leavers);
  const isEmpty = activeSubscribers(model, stream).length === 0;
  if (leavers.length > 0 && isEmpty && !stream.isPublic) close(model, stream);
  return leavers;
}

export function closeStream(model: Model, by: User, id: number): string | undefined {
  const stream = model.streams.get(id);
  if (!manages(by, stream)) return 'Must be an organization administrator';
  if (!stream) return 'Invalid stream ID';
  if (stream.isArchived) return 'Stream is already deactivated';
  close(model, stream);
  return undefined;
}

function close(model: Model, stream: Stream): void {
  model.publish(audience(model, stream), { type: 'stream', op: 'delete', stream });
  stream.isArchived = true;
  const subscribers = ascending(stream.subscribers);
  stream.subscribers.clear();
  stream.putAwayBy.clear();
  publishSight(model, 'remove', [], subscribers);
}

export function activeSubscribers(model: Model, { subscribers }: Stream): number[] {
  return model.activeUsers.map(({ id }) => id).filter((id) => subscribers.has(id));
}

export function visibleStreams({ openStreams }: Model, user: User): Stream[] {
  return openStreams.filter((stream) => canSee(user, stream));
}

export function publishReturnOrLoss(model: Model, user: User, op: 'peer_add' | 'peer_remove'): void {
  const own = model.openStreams.filter((stream) => isIn(stream, user));
  for (const stream of own.toSorted((one, other) => one.id - other.id)) publishPeers(model, stream, op, [user.id]);
}
