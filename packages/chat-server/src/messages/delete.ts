import { deleteMessage, deleteTopic, deletedOfTopicAtOnce, maxDeletedOfTopic, topicKey } from '@engawa/protocol';
import { seconds } from '../clock.ts';
import { readable, visibleStreamOf } from '../conversations/access.ts';
import { audienceOfMessage, messageHeaders } from '../conversations/messageHeaders.ts';
import { streams } from '../conversations/streams.ts';
import { topics } from '../conversations/topics.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Member, isAdministrator } from '../identity/member.ts';
import { reactions } from '../reactions/store.ts';
import { messageFlags } from '../reading/store.ts';
import { streamUpdated } from '../streams/events.ts';
import { readableMessage } from './access.ts';
import type { MessageDependencies } from './dependencies.ts';
import { fileLinks } from './fileLinks.ts';
import { edits } from './edits.ts';
import type { DeletePayload } from './events.ts';
import { type MessageRow, messages } from './store.ts';
import { isPast, timeLimits } from './timeLimits.ts';

export function deleteRoute({ database, log, clock }: MessageDependencies): Route {
  return memberRoute(deleteMessage, ({ message_id }, { member: caller }) =>
    database.write((tx) => {
      const now = seconds(clock);
      const member = memberNow(tx, caller);
      const message = readableMessage(tx, member, message_id);
      checkRights(tx, member, message, now);
      remove(tx, log, message, now);
    }),
  );
}

export function deleteTopicRoute({ database, log, clock }: MessageDependencies): Route {
  return memberRoute(deleteTopic, async ({ stream_id, topic_name }, { member }) => {
    for (let deleted = 0; deleted < maxDeletedOfTopic; deleted += deletedOfTopicAtOnce) {
      const isLast = await database.write((tx) => {
        const caller = memberNow(tx, member);
        if (!isAdministrator(caller)) throw refused.mustBe('an organization administrator');
        const ids = newestInTopic(tx, caller, stream_id, topic_name);
        for (const id of ids) remove(tx, log, readableMessage(tx, caller, id), seconds(clock));
        return ids.length < deletedOfTopicAtOnce;
      });
      if (isLast) return { complete: true };
    }
    return { complete: newestInTopic(database.reader, memberNow(database.reader, member), stream_id, topic_name).length === 0 };
  });
}

/** At most `deletedOfTopicAtOnce` of the messages that the member may read. */
function newestInTopic(reader: Reader, member: Member, streamId: number, topic: string): number[] {
  visibleStreamOf(reader, member, streamId);
  const found: number[] = [];
  for (const span of readable(reader, member, streamId).toReversed()) {
    found.push(...topics.newestInTopic(reader, streamId, topicKey(topic.trim()), span, deletedOfTopicAtOnce - found.length));
  }
  return found;
}

function remove(tx: Transaction, log: EventLog, message: MessageRow, now: number): void {
  erase(tx, message.id, now);
  publishDeletion(tx, log, message);
  updateFirstMessage(tx, log, message);
}

function checkRights(reader: Reader, member: Member, message: MessageRow, now: number): void {
  if (isAdministrator(member)) return;
  if (message.sender_id !== member.id || message.notice !== null) {
    throw refused.because("You don't have permission to delete this message");
  }
  if (isPast(message, timeLimits(reader).deletion_limit, now)) {
    throw refused.because('The time limit for deleting this message has passed');
  }
}

/** The work grows with the number of users who set a flag on the message. */
export function erase(tx: Transaction, id: number, now: number): void {
  messages.blank(tx, id, now);
  fileLinks.deleteOf(tx, id);
  edits.deleteOf(tx, id);
  reactions.deleteOf(tx, id);
  messageFlags.deleteOf(tx, id);
}

function publishDeletion(tx: Transaction, log: EventLog, message: MessageRow): void {
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

/** A stream's first message is its oldest message that is not deleted. */
function updateFirstMessage(tx: Transaction, log: EventLog, { id, conversation_id }: MessageRow): void {
  const stream = streams.byId(tx, conversation_id);
  if (stream?.first_message_id !== id) return;
  const first = messageHeaders.firstAfter(tx, conversation_id, id) ?? null;
  streams.setFirstMessage(tx, conversation_id, first);
  if (stream.shared_history) log.append(tx, streamUpdated(stream, 'first_message_id', first));
}
