import { roles } from '@engawa/protocol';
import { type Copy, type Message, type Model, type Place, type Stream, type User, found } from './model.ts';

export const isAdministrator = ({ role }: User): boolean => role <= roles.administrator;

export function isIn(place: Place, user: User): boolean {
  return place.kind === 'direct' ? place.participants.includes(user.id) : place.subscribers.has(user.id);
}

/** A guest sees only themselves and the members of conversations that they are in. */
export function seesUser({ streams, directs }: Model, viewer: User, userId: number): boolean {
  if (viewer.role !== roles.guest || viewer.id === userId) return true;
  const places: readonly (readonly number[] | ReadonlySet<number>)[] = [
    ...[...streams.values()].map(({ subscribers }) => subscribers),
    ...[...directs.values()].map(({ participants }) => participants),
  ];
  return places.map((ids) => new Set(ids)).some((ids) => ids.has(viewer.id) && ids.has(userId));
}

/** A stream is visible to its subscribers, and a public one to everyone except guests. */
export function canSee(user: User, stream: Stream): boolean {
  if (stream.isArchived) return false;
  return isIn(stream, user) || (stream.isPublic && user.role !== roles.guest);
}

export function copyOf({ copies }: Message, user: User): Copy {
  return found(copies, user.id);
}

/** Whether the user may read messages at this position, even if the message is deleted. */
export function mayReadPosition(user: User, message: Message): boolean {
  const { place } = message;
  if (place.kind === 'direct') return isIn(place, user);
  return canSee(user, place) && (place.isShared || copyOf(message, user).received);
}

export function mayRead(user: User, message: Message): boolean {
  return !message.isDeleted && mayReadPosition(user, message);
}

export function readableMessage(model: Model, user: User, id: number): Message | undefined {
  const message = model.messages.get(id);
  return message && mayRead(user, message) ? message : undefined;
}

export function audience({ users }: Model, place: Place): number[] {
  return [...users.values()]
    .filter((user) => isIn(place, user) || (place.kind === 'stream' && canSee(user, place)))
    .map(({ id }) => id);
}
