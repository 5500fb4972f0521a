import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../http/errors.ts';
import { messages } from '../messages/store.ts';
import type { Member } from '../users/member.ts';
import { mustBeAdministrator } from '../users/standing.ts';
import { audienceOf } from './access.ts';
import { type StreamRow, conversations } from './store.ts';
import { gone } from './tellings.ts';

/** Closes a stream: everyone's stay ends with the event that tells of it, and its name is free again. */
export function archive(tx: Transaction, log: EventLog, stream: StreamRow): void {
  const streamId = stream.conversation_id;
  const told = log.append(tx, { ...audienceOf(stream), ...gone(stream) });
  conversations.endStays(tx, streamId, told, messages.newestId(tx, streamId));
  conversations.archive(tx, streamId);
}

/** A stream that a member may archive. Administrators may, and may know of every stream. */
export function archivable(reader: Reader, member: Member, id: number): StreamRow {
  mustBeAdministrator(reader, member);
  const stream = conversations.stream(reader, id);
  if (!stream) throw refused.invalidStreamId();
  if (stream.is_archived) throw refused.because('Stream is already deactivated');
  return stream;
}
