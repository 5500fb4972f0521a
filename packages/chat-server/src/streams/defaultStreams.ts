import { addDefaultStream, maxDefaultStreams, removeDefaultStream } from '@engawa/protocol';
import { type Viewer, entersPublicStreams, isPublic, knownStream } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow, mustBeAdministrator } from '../identity/currentMember.ts';
import type { Member } from '../identity/member.ts';
import type { Steps } from '../turns.ts';
import { endDefault } from './archive.ts';
import type { Bindings } from './bindings.ts';
import { defaultStreamsChanged } from './events.ts';
import { subscribe } from './subscribe.ts';

export function defaultStreamRoutes(database: Database, log: EventLog, bindings: Bindings): Route[] {
  return [
    memberRoute(addDefaultStream, ({ stream_id }, { member }) =>
      database.write((tx) => {
        const stream = administeredStream(tx, member, stream_id);
        if (bindings.isBound(stream.conversation_id)) throw refused.because('A bound stream cannot be made default.');
        makeDefault(tx, log, stream);
      }),
    ),

    memberRoute(removeDefaultStream, ({ stream_id }, { member }) =>
      database.write((tx) => {
        endDefault(tx, log, administeredStream(tx, member, stream_id));
      }),
    ),
  ];
}

function administeredStream(reader: Reader, member: Member, streamId: number): StreamRow {
  mustBeAdministrator(reader, member);
  const stream = knownStream(reader, memberNow(reader, member), streamId);
  if (!stream) throw refused.invalidStreamId();
  return stream;
}

/** @throws ChatError for a private stream. */
export function makeDefault(tx: Transaction, log: EventLog, stream: StreamRow): void {
  if (!isPublic(stream)) throw refused.because('Private streams cannot be made default.');
  if (stream.is_default) return;
  if (streams.defaults(tx).length >= maxDefaultStreams) {
    throw refused.because(`Too many default streams (limit: ${maxDefaultStreams}).`);
  }
  streams.setDefault(tx, stream.conversation_id, 1);
  log.append(tx, defaultStreamsChanged(tx));
}

/** Guests cannot see public streams that they have not joined. */
export const defaultStreamsFor = (reader: Reader, viewer: Viewer): number[] =>
  entersPublicStreams(viewer) ? streams.defaultIds(reader) : [];

/** Guests join only streams to which others add them. */
export function* joinDefaultStreams(tx: Transaction, log: EventLog, newcomers: readonly Viewer[]): Steps<void> {
  const joiners = newcomers.filter(entersPublicStreams);
  for (const stream of streams.defaults(tx)) yield* subscribe(tx, log, stream, joiners);
}
