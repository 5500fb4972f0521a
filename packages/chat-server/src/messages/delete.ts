import { deleteMessage } from '@engawa/protocol';
import { seconds } from '../clock.ts';
import { audienceOf } from '../conversations/access.ts';
import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { DeletePayload } from './events.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { reactions } from '../reactions/store.ts';
import { messageFlags } from '../reading/store.ts';
import { type Member, isAdministrator } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';
import { audienceOfMessage, messageHeaders } from '../conversations/messageHeaders.ts';
import { readableMessage } from './access.ts';
import { edits } from './edits.ts';
import type { MessageRooms } from './dependencies.ts';
import { type MessageRow, messages } from './store.ts';
import { isPast, timeLimits } from './timeLimits.ts';
import { streams } from '../conversations/streams.ts';

export function deleteRoute({ database, log, clock }: MessageRooms): Route {
  return memberRoute(deleteMessage, async ({ message_id }, { member: asking }) => {
    await database.write((tx) => {
      const now = seconds(clock);
      const member = memberNow(tx, asking);
      const message = readableMessage(tx, member, message_id);
      checkRights(tx, member, message, now);
      erase(tx, message.id, now);
      tellOfDeletion(tx, log, message);
      correctFirstMessage(tx, log, message);
    });
    return {};
  });
}

function checkRights(reader: Reader, member: Member, message: MessageRow, now: number): void {
  if (isAdministrator(member)) return;
  if (message.sender_id !== member.id) throw refused.because("You don't have permission to delete this message");
  if (isPast(message, timeLimits(reader).deletion_limit, now)) {
    throw refused.because('The time limit for deleting this message has passed');
  }
}

/** All that was said in it, with it and about it. Its place stays. The work grows with those who set a flag on it. */
export function erase(tx: Transaction, id: number, now: number): void {
  messages.blank(tx, id, now);
  edits.deleteOf(tx, id);
  reactions.deleteOf(tx, id);
  messageFlags.deleteOf(tx, id);
}

function tellOfDeletion(tx: Transaction, log: EventLog, message: MessageRow): void {
  const { id, conversation_id, topic, stream_name } = message;
  log.append(tx, {
    type: 'delete_message',
    ...audienceOfMessage(tx, message),
    messageId: id,
    payload: {
      message_id: id,
      ...(stream_name === null ? { message_type: 'private' } : { message_type: 'stream', stream_id: conversation_id, topic }),
    } satisfies DeletePayload,
  });
}

/** A stream begins with the oldest message that is left. */
function correctFirstMessage(tx: Transaction, log: EventLog, { id, conversation_id }: MessageRow): void {
  const stream = streams.byId(tx, conversation_id);
  if (stream?.first_message_id !== id) return;
  const first = messageHeaders.firstAfter(tx, conversation_id, id) ?? null;
  streams.setFirstMessage(tx, conversation_id, first);
  if (!stream.shared_history) return;
  log.append(tx, {
    type: 'stream',
    ...audienceOf(stream),
    payload: {
      op: 'update',
      stream_id: conversation_id,
      name: stream.name,
      property: 'first_message_id',
      value: first,
    },
  });
}
