import { entersPublicStreams, isPublic, readableIn, within } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import type { Member } from '../identity/member.ts';
import type { EventRow } from '../events/log.ts';
import type { Views } from '../events/payload.ts';
import { streams } from '../conversations/streams.ts';

/**
 * THE rule of who hears of an event. Its reach was frozen when it was written and must hold in the stay that contains
 * it; and what names a message is heard by those only who may read that message now.
 * @param widely whether the queue asked for the messages of all public streams, too.
 */
export function hears(reader: Reader, member: Member, event: EventRow, widely: boolean, views: Views): boolean {
  const reached = reaches(member, event, views) || (widely && isOfPublicStream(reader, event));
  return reached && (event.message_id === null || mayReadNow(reader, member, event.type, event.message_id, views));
}

function isOfPublicStream(reader: Reader, { type, reach_id }: EventRow): boolean {
  return type === 'message' && reach_id !== null && isPublic(streams.byId(reader, reach_id));
}

function reaches(member: Member, { id, reach, reach_id }: EventRow, views: Views): boolean {
  switch (reach) {
    case 'self':
      return reach_id === member.id;
    case 'members':
      return reach_id !== null && wasMember(member, reach_id, id, views);
    case 'viewers':
      return entersPublicStreams(member) || (reach_id !== null && wasMember(member, reach_id, id, views));
    case 'everyone':
      return true;
    case 'members_without_guests':
      return entersPublicStreams(member);
  }
}

function wasMember(member: Member, conversationId: number, eventId: number, { crowd }: Views): boolean {
  return crowd
    .stays(conversationId, member.id)
    .some((stay) => stay.began_event < eventId && (stay.ended_event === null || eventId <= stay.ended_event));
}

/** Of a message that is gone nothing is told but that it is. */
function mayReadNow(reader: Reader, member: Member, type: string, messageId: number, views: Views): boolean {
  const place = views.message(messageId);
  if (!place || (place.deleted !== null && type !== 'delete_message')) return false;
  const stays = views.crowd.stays(place.conversation_id, member.id);
  return within(messageId, readableIn(reader, member, place.conversation_id, stays));
}
