import { roles } from '@engawa/protocol';
import { audience, isAdministrator, isIn, sees } from './access.ts';
import type { Model, Place, Stream, User } from './model.ts';
import { readAllAt } from './reading.ts';

/** What a call says of a stream that it makes: nothing, or `invite_only` and perhaps more. */
export type Making = 'unsaid' | 'public' | 'private' | 'shared';

export interface Subscribing {
  readonly name: string;
  readonly making: Making;
  /** Whom it subscribes. */
  readonly people: readonly number[];
}

export function refusesSubscribing(model: Model, by: User, { name, making, people }: Subscribing): string | undefined {
  if (by.role === roles.guest) return 'Not allowed for guest users';
  if (people.some((id) => !model.user(id).isActive)) return 'User is deactivated';
  const stream = model.openStream(name);
  if (stream && sees(by, stream)) return undefined;
  // Who may not make such a stream does not learn whether there is one.
  if (making === 'public' && !isAdministrator(by)) return 'Insufficient permission';
  return stream && `Unable to access stream (${name}).`;
}

/** A stream that nobody is in yet. */
export function makeStream(model: Model, id: number, creator: number, { name, making }: Omit<Subscribing, 'people'>): Stream {
  const isPublic = making === 'public';
  const stream: Stream = {
    kind: 'stream',
    id,
    name,
    creator,
    isPublic,
    isShared: making !== 'private',
    subscribers: new Set(),
    everSubscribed: new Set(),
    away: new Set(),
    isArchived: false,
  };
  model.streams.set(id, stream);
  model.tell(audience(model, stream), { type: 'stream', op: 'create', stream });
  return stream;
}

/** @returns who has come. */
export function subscribe(model: Model, stream: Stream, people: readonly number[]): number[] {
  const newcomers = people.filter((id) => !stream.subscribers.has(id));
  for (const id of newcomers) {
    if (!sees(model.user(id), stream)) model.tell([id], { type: 'stream', op: 'create', stream });
    model.tell([id], { type: 'subscription', op: 'add', stream });
  }
  tellPeers(model, stream, 'peer_add', newcomers);
  for (const id of newcomers) {
    stream.subscribers.add(id);
    stream.everSubscribed.add(id);
  }
  return newcomers;
}

/** Everybody who sees the stream learns of all but themselves. */
function tellPeers(model: Model, stream: Stream, op: 'peer_add' | 'peer_remove', users: readonly number[]): void {
  for (const id of audience(model, stream)) {
    const others = users.filter((each) => each !== id);
    if (others.length > 0) model.tell([id], { type: 'subscription', op, stream, users: others });
  }
}

export interface Unsubscribing {
  readonly name: string;
  readonly people: readonly number[];
}

export function refusesUnsubscribing(model: Model, by: User, { name, people }: Unsubscribing): string | undefined {
  if (people.some((id) => !model.user(id).isActive)) return 'User is deactivated';
  const stream = model.openStream(name);
  if (people.some((id) => id !== by.id) && !manages(by, stream)) return 'Insufficient permission';
  const isKnown = stream && (isAdministrator(by) || sees(by, stream));
  return isKnown ? undefined : `Stream(s) (${name}) do not exist`;
}

/** Who made it, while they are in it and no guest; and administrators. */
function manages(user: User, stream: Stream | undefined): boolean {
  if (isAdministrator(user)) return true;
  return (
    stream !== undefined && !stream.isArchived && stream.creator === user.id && user.role !== roles.guest && isIn(stream, user)
  );
}

/** A member puts a stream of theirs away, or has it back. */
export function putAway(model: Model, user: User, id: number, isAway: boolean): string | undefined {
  const stream = model.streams.get(id);
  if (!stream || !isIn(stream, user)) return `Not subscribed to stream id ${id}`;
  if (stream.away.has(user.id) !== isAway) setAway(model, stream, user.id, isAway);
  return undefined;
}

/** Those whom somebody else calls there have it back. */
export function bringBack(model: Model, place: Place, by: number, isCalled: (user: User) => boolean): void {
  if (place.kind === 'direct') return;
  const back = [...place.away].filter((id) => id !== by && isCalled(model.user(id)));
  for (const id of back) setAway(model, place, id, false);
}

function setAway(model: Model, stream: Stream, id: number, isAway: boolean): void {
  if (isAway) stream.away.add(id);
  else stream.away.delete(id);
  model.tell([id], { type: 'subscription', op: 'update', stream, isAway });
}

/** @returns who has left. */
export function unsubscribe(model: Model, stream: Stream, people: readonly number[]): number[] {
  const leavers = people.filter((id) => stream.subscribers.has(id));
  for (const id of leavers) {
    readAllAt(model, model.user(id), stream);
    stream.subscribers.delete(id);
    stream.away.delete(id);
    model.tell([id], { type: 'subscription', op: 'remove', stream });
    if (!sees(model.user(id), stream)) model.tell([id], { type: 'stream', op: 'delete', stream });
  }
  tellPeers(model, stream, 'peer_remove', leavers);
  const isEmpty = activeSubscribers(model, stream).length === 0;
  if (leavers.length > 0 && isEmpty && !stream.isPublic) close(model, stream);
  return leavers;
}

export function archive(model: Model, by: User, id: number): string | undefined {
  const stream = model.streams.get(id);
  if (!manages(by, stream)) return 'Must be an organization administrator';
  if (!stream) return 'Invalid stream ID';
  if (stream.isArchived) return 'Stream is already deactivated';
  close(model, stream);
  return undefined;
}

function close(model: Model, stream: Stream): void {
  model.tell(audience(model, stream), { type: 'stream', op: 'delete', stream });
  stream.isArchived = true;
  stream.subscribers.clear();
  stream.away.clear();
}

/** Those whom others see there. */
export function activeSubscribers(model: Model, { subscribers }: Stream): number[] {
  return model.activeUsers.map(({ id }) => id).filter((id) => subscribers.has(id));
}

export function seenBy({ openStreams }: Model, user: User): Stream[] {
  return openStreams.filter((stream) => sees(user, stream));
}

/** Somebody comes back to their streams, or is not there any more. */
export function tellOfPresence(model: Model, user: User, op: 'peer_add' | 'peer_remove'): void {
  const own = model.openStreams.filter((stream) => isIn(stream, user));
  for (const stream of own.toSorted((one, other) => one.id - other.id)) tellPeers(model, stream, op, [user.id]);
}
