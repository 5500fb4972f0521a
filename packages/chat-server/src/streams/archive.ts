import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Viewer, audienceOf } from '../conversations/access.ts';
import type { Bindings } from './bindings.ts';
import { managedStream } from './rights.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import { gone } from './events.ts';
import { memberships } from '../conversations/memberships.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

/** Closes a stream: everyone's stay ends with the event that tells of it, and its name is free again. */
export function archive(tx: Transaction, log: EventLog, stream: StreamRow): void {
  const streamId = stream.conversation_id;
  const told = log.append(tx, { ...audienceOf(stream), ...gone(stream) });
  memberships.endAll(tx, streamId, told, messageHeaders.newestId(tx, streamId));
  streams.archive(tx, streamId);
}

/** A stream that a member may archive. */
export function archivable(reader: Reader, bindings: Bindings, viewer: Viewer, id: number): StreamRow {
  const stream = managedStream(reader, viewer, id);
  if (bindings.isBound(id)) throw refused.because('A stream that is bound to a department stays.');
  return stream;
}
