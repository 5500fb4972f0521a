import { entersPublicStreams, isPublic, ownerReads, readableIn, within } from '../conversations/access.ts';
import { periodsOfUsers } from '../conversations/lookups.ts';
import { streams } from '../conversations/streams.ts';
import { type DeliveryBatch, perEventOfBatch, perLookups, remembered } from '../events/batch.ts';
import type { EventRow } from '../events/log.ts';
import type { Queue } from '../events/queues.ts';
import type { Member } from '../identity/member.ts';
import { type MessageRow, messages } from './store.ts';

/**
 * THE rule of who receives an event. Its reach was fixed when it was logged. If the reach is a conversation, the event must lie
 * in a membership period of the member. An event about a message also requires that the member may read it now.
 */
export function receives(event: EventRow, { member, options }: Queue, batch: DeliveryBatch): boolean {
  const isReached = reaches(event, batch)(member) || (options.all_public_streams && isMessageOfPublicStream(event, batch));
  return isReached && (event.message_id === null || mayReadNow(event, batch)(member));
}

function isMessageOfPublicStream({ type, reach_id }: EventRow, { reader }: DeliveryBatch): boolean {
  return type === 'message' && reach_id !== null && isPublic(streams.byId(reader, reach_id));
}

type IsAmong = (member: Member) => boolean;

const reaches = perEventOfBatch(({ id, reach, reach_id, message_id }, batch): IsAmong => {
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
});

function membersAt(conversationId: number | null, eventId: number, messageId: number | null, batch: DeliveryBatch): IsAmong {
  if (conversationId === null) return () => false;
  const periodsOf = periodsOfUsers(batch, conversationId);
  return (member) =>
    periodsOf(member.id).some(
      (period) => period.began_event < eventId && (period.ended_event === null || eventId <= period.ended_event),
    ) &&
    // For a message, `mayReadNow` applies the limit of the owner.
    (messageId !== null || ownerReads(batch.reader, member, conversationId));
}

/** A deleted message is not readable, and only the event of its deletion is delivered. */
const mayReadNow = perEventOfBatch(({ type, message_id }, batch): IsAmong => {
  const message = message_id === null ? undefined : currentMessage(message_id, batch);
  if (!message || (message.deleted !== null && type !== 'delete_message')) return () => false;
  const { id, conversation_id: conversationId } = message;
  const periodsOf = periodsOfUsers(batch, conversationId);
  return (member) => within(id, readableIn(batch.reader, member, conversationId, periodsOf(member.id)));
});

const currentMessages = perLookups(() => new Map<number, MessageRow | undefined>());

export function currentMessage(id: number, batch: DeliveryBatch): MessageRow | undefined {
  return remembered(currentMessages(batch), id, () => messages.withSender(batch.reader, id));
}
