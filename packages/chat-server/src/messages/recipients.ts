import { contains, entersPublicStreams, isPublic, ownerReads, readableIn } from '../conversations/access.ts';
import { periodsOf, periodsOfUsers } from '../conversations/lookups.ts';
import type { Period } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';
import { type DeliveryBatch, perLookups, remembered } from '../events/batch.ts';
import type { EventRow } from '../events/log.ts';
import type { Queue } from '../events/queues.ts';
import type { Member } from '../identity/member.ts';
import type { Stretch } from '../reading/lookups.ts';
import { type MessageRow, messages } from './store.ts';

/**
 * THE rule of who receives an event. Its reach was fixed when it was logged. If the reach is a conversation, the event must lie
 * in a membership period of the member. An event about a message also requires that the member may read it now.
 */
export function receives(event: EventRow, batch: DeliveryBatch): (queue: Queue) => boolean {
  const isReached = reaches(event, batch);
  // A message that reaches none of the batch is not looked up.
  let mayRead: IsAmong | undefined;
  return ({ member, options }) =>
    (isReached(member) || (options.all_public_streams && isMessageOfPublicStream(event, batch))) &&
    (mayRead ??= event.message_id === null ? () => true : mayReadNow(event, batch))(member);
}

function isMessageOfPublicStream({ type, reach_id }: EventRow, { reader }: DeliveryBatch): boolean {
  return type === 'message' && reach_id !== null && isPublic(streams.byId(reader, reach_id));
}

/** Events about messages of one conversation, and these messages. Each event reaches the members of the conversation. */
export interface EventStretch extends Stretch {
  readonly firstEvent: number;
  readonly lastEvent: number;
}

/** `receives` for all events of a stretch, of which no message is deleted. @returns false also if only some are received. */
export function receivesAll({ firstEvent, lastEvent, ...of }: EventStretch, member: Member, batch: DeliveryBatch): boolean {
  const periods = periodsOf(batch, of.conversationId, member.id);
  return wasMember(periods, firstEvent, lastEvent) && mayReadAll(of, member, periods, batch);
}

/** Whether one period contains all events from `first` to `last`. */
function wasMember(periods: readonly Period[], first: number, last: number): boolean {
  return periods.some((period) => period.began_event < first && (period.ended_event === null || last <= period.ended_event));
}

function mayReadAll(
  { conversationId, firstMessage, lastMessage }: Stretch,
  member: Member,
  periods: readonly Period[],
  { reader }: DeliveryBatch,
): boolean {
  return contains(readableIn(reader, member, conversationId, periods), firstMessage, lastMessage);
}

type IsAmong = (member: Member) => boolean;

function reaches({ id, reach, reach_id, message_id }: EventRow, batch: DeliveryBatch): IsAmong {
  switch (reach) {
    case 'self':
      return (member) => reach_id === member.id;
    case 'members':
      return membersAt(reach_id, id, message_id, batch);
    case 'viewers': {
      const wasMember = membersAt(reach_id, id, message_id, batch);
      return (member) => entersPublicStreams(member) || wasMember(member);
    }
    case 'everyone':
      return () => true;
    case 'members_without_guests':
      return entersPublicStreams;
  }
}

function membersAt(conversationId: number | null, eventId: number, messageId: number | null, batch: DeliveryBatch): IsAmong {
  if (conversationId === null) return () => false;
  const periods = periodsOfUsers(batch, conversationId);
  return (member) =>
    wasMember(periods(member.id), eventId, eventId) &&
    // For a message, `mayReadNow` applies the limit of the owner.
    (messageId !== null || ownerReads(batch.reader, member, conversationId));
}

/** A deleted message is not readable, and only the event of its deletion is delivered. */
function mayReadNow({ type, message_id }: EventRow, batch: DeliveryBatch): IsAmong {
  const message = message_id === null ? undefined : currentMessage(message_id, batch);
  if (!message || (message.deleted !== null && type !== 'delete_message')) return () => false;
  const { id, conversation_id: conversationId } = message;
  const periods = periodsOfUsers(batch, conversationId);
  const one = { conversationId, firstMessage: id, lastMessage: id };
  return (member) => mayReadAll(one, member, periods(member.id), batch);
}

const currentMessages = perLookups(() => new Map<number, MessageRow | undefined>());

export function currentMessage(id: number, batch: DeliveryBatch): MessageRow | undefined {
  return remembered(currentMessages(batch), id, () => messages.withSender(batch.reader, id));
}
