import { roles } from '@engawa/protocol';
import { type Copy, type Message, type Model, type Place, type Stream, type User, found } from './model.ts';

export const isAdministrator = ({ role }: User): boolean => role <= roles.administrator;

/** Subscribed to it, or one of those who write to each other. */
export function isIn(place: Place, user: User): boolean {
  return place.kind === 'direct' ? place.participants.includes(user.id) : place.subscribers.has(user.id);
}

/** A stream is there for its subscribers, a public one for everybody but guests. */
export function sees(user: User, stream: Stream): boolean {
  if (stream.isArchived) return false;
  return isIn(stream, user) || (stream.isPublic && user.role !== roles.guest);
}

export function copyOf({ copies }: Message, user: User): Copy {
  return found(copies, user.id);
}

/** Whether a member may read what stands at a message's place. */
export function mayReadPlace(user: User, message: Message): boolean {
  const { place } = message;
  if (place.kind === 'direct') return isIn(place, user);
  return sees(user, place) && (place.isShared || copyOf(message, user).received);
}

export function mayRead(user: User, message: Message): boolean {
  return !message.isDeleted && mayReadPlace(user, message);
}

/** A message that a member may read. */
export function readableMessage(model: Model, user: User, id: number): Message | undefined {
  const message = model.messages.get(id);
  return message && mayRead(user, message) ? message : undefined;
}

/** Who hears of what happens at a place: those who are in it, and those who see it without. */
export function audience({ users }: Model, place: Place): number[] {
  return [...users.values()]
    .filter((user) => isIn(place, user) || (place.kind === 'stream' && sees(user, place)))
    .map(({ id }) => id);
}
