import { type Viewer, audienceOf } from '../conversations/access.ts';
import { memberships } from '../conversations/memberships.ts';
import { publishSightLost } from '../conversations/sightChanges.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import type { Bindings } from './bindings.ts';
import { defaultStreamsChanged, streamDeleted } from './events.ts';
import { managedStream } from './rights.ts';

/** Ends all memberships at the event of the deletion, so that it is the last that subscribers get, and frees the name. */
export function archive(tx: Transaction, log: EventLog, stream: StreamRow): void {
  const streamId = stream.conversation_id;
  endDefault(tx, log, stream);
  const event = log.append(tx, { ...audienceOf(stream), ...streamDeleted(stream) });
  const members = memberships.currentUsers(tx, streamId);
  memberships.endAll(tx, streamId, event, messageHeaders.newestId(tx, streamId));
  streams.archive(tx, streamId);
  publishSightLost(tx, log, streamId, members);
}

/** Does nothing for a stream that is no default stream. */
export function endDefault(tx: Transaction, log: EventLog, stream: StreamRow): void {
  if (!stream.is_default) return;
  streams.setDefault(tx, stream.conversation_id, 0);
  log.append(tx, defaultStreamsChanged(tx));
}

export function archivableStream(reader: Reader, bindings: Bindings, viewer: Viewer, id: number): StreamRow {
  const stream = managedStream(reader, viewer, id);
  if (bindings.isBound(id)) throw refused.because('A bound stream cannot be archived.');
  return stream;
}
