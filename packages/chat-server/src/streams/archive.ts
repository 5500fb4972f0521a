import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { messages } from '../messages/store.ts';
import { type Viewer, audienceOf } from '../conversations/access.ts';
import type { Bindings } from './bindings.ts';
import { managedStream } from './rights.ts';
import { type StreamRow, conversations } from '../conversations/store.ts';
import { gone } from './events.ts';

/** Closes a stream: everyone's stay ends with the event that tells of it, and its name is free again. */
export function archive(tx: Transaction, log: EventLog, stream: StreamRow): void {
  const streamId = stream.conversation_id;
  const told = log.append(tx, { ...audienceOf(stream), ...gone(stream) });
  conversations.endStays(tx, streamId, told, messages.newestId(tx, streamId));
  conversations.archive(tx, streamId);
}

/** A stream that a member may archive. */
export function archivable(reader: Reader, bindings: Bindings, viewer: Viewer, id: number): StreamRow {
  const stream = managedStream(reader, viewer, id);
  if (bindings.isBound(id)) throw refused.because('A stream that is bound to a department stays.');
  return stream;
}
