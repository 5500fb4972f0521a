import { entersPublicStreams, isPublic, readableIn, within } from '../conversations/access.ts';
import { periodsOf } from '../conversations/lookups.ts';
import { streams } from '../conversations/streams.ts';
import { type DeliveryBatch, perLookups, remembered } from '../events/batch.ts';
import type { EventRow } from '../events/log.ts';
import type { Queue } from '../events/queues.ts';
import type { Member } from '../identity/member.ts';
import { type MessageRow, messages } from './store.ts';

/**
 * THE rule of who receives an event. Its reach was fixed when it was logged. If the reach is a conversation, the event must lie
 * in a membership period of the member. An event about a message also requires that the member may read it now.
 */
export function receives(event: EventRow, { member, options }: Queue, batch: DeliveryBatch): boolean {
  const isReached = reaches(member, event, batch) || (options.all_public_streams && isMessageOfPublicStream(event, batch));
  return isReached && (event.message_id === null || mayReadNow(member, event.type, event.message_id, batch));
}

function isMessageOfPublicStream({ type, reach_id }: EventRow, { reader }: DeliveryBatch): boolean {
  return type === 'message' && reach_id !== null && isPublic(streams.byId(reader, reach_id));
}

function reaches(member: Member, { id, reach, reach_id }: EventRow, batch: DeliveryBatch): boolean {
  switch (reach) {
    case 'self':
      return reach_id === member.id;
    case 'members':
      return reach_id !== null && wasMember(member, reach_id, id, batch);
    case 'viewers':
      return entersPublicStreams(member) || (reach_id !== null && wasMember(member, reach_id, id, batch));
    case 'everyone':
      return true;
    case 'members_without_guests':
      return entersPublicStreams(member);
  }
}

function wasMember(member: Member, conversationId: number, eventId: number, batch: DeliveryBatch): boolean {
  return periodsOf(batch, conversationId, member.id).some(
    (period) => period.began_event < eventId && (period.ended_event === null || eventId <= period.ended_event),
  );
}

/** A deleted message is not readable, and only the event of its deletion is delivered. */
function mayReadNow(member: Member, type: string, messageId: number, batch: DeliveryBatch): boolean {
  const message = currentMessage(messageId, batch);
  if (!message || (message.deleted !== null && type !== 'delete_message')) return false;
  const periods = periodsOf(batch, message.conversation_id, member.id);
  return within(messageId, readableIn(batch.reader, member, message.conversation_id, periods));
}

const currentMessages = perLookups(() => new Map<number, MessageRow | undefined>());

export function currentMessage(id: number, batch: DeliveryBatch): MessageRow | undefined {
  return remembered(currentMessages(batch), id, () => {
    const row = messages.withSender(batch.reader, id);
    // A copy takes a third of the memory and is read faster, because SQLite's binding returns dictionaries.
    return row && { ...row };
  });
}
