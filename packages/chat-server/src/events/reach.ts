import { roles } from '@engawa/protocol';
import { mayRead } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { messages } from '../messages/store.ts';
import type { Member } from '../users/member.ts';
import type { EventRow } from './log.ts';

/**
 * THE rule of who hears of an event. Its reach was frozen when it was written and must hold in the stay that contains
 * it; and what names a message is heard by those only who may read that message now.
 */
export function hears(reader: Reader, member: Member, event: EventRow): boolean {
  return reaches(reader, member, event) && (event.message_id === null || mayReadNow(reader, member, event.message_id));
}

function reaches(reader: Reader, member: Member, { id, reach, reach_id }: EventRow): boolean {
  switch (reach) {
    case 'self':
      return reach_id === member.id;
    case 'members':
      return reach_id !== null && wasMember(reader, member, reach_id, id);
    case 'everyone':
      return true;
    case 'members_without_guests':
      return member.role !== roles.guest;
    case 'administrators':
      return member.role <= roles.administrator;
  }
}

function wasMember(reader: Reader, member: Member, conversationId: number, eventId: number): boolean {
  return conversations
    .stays(reader, conversationId, member.id)
    .some((stay) => stay.began_event < eventId && (stay.ended_event === null || eventId < stay.ended_event));
}

function mayReadNow(reader: Reader, member: Member, messageId: number): boolean {
  const [place] = messages.places(reader, [messageId]);
  return place !== undefined && mayRead(reader, member.id, place);
}
