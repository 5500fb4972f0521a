import { type Viewer, isMember } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { isAdministrator, isGuest } from '../identity/member.ts';

/** Administrators, and the creator while subscribed, may change and archive a stream and remove others. Members may only add. */
export function mayManage(reader: Reader, viewer: Viewer, stream: StreamRow): boolean {
  if (isAdministrator(viewer)) return true;
  return stream.creator_id === viewer.id && !isGuest(viewer) && isMember(reader, stream.conversation_id, viewer.id);
}

/** @throws ChatError, which is the same for members without the right whether or not the stream exists. */
export function managedStream(reader: Reader, viewer: Viewer, id: number): StreamRow {
  const stream = streams.byId(reader, id);
  if (!isAdministrator(viewer) && !(stream?.is_archived === 0 && mayManage(reader, viewer, stream))) {
    throw refused.mustBe('an organization administrator');
  }
  if (!stream) throw refused.invalidStreamId();
  if (stream.is_archived) throw refused.because('Stream is already deactivated');
  return stream;
}
