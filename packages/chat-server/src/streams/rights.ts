import { type Viewer, isMember } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { isAdministrator, isGuest } from '../identity/member.ts';

/**
 * THE rule of who may change a stream, archive it, and remove others from it: its creator while subscribed, and
 * administrators. (Every subscriber who is not a guest may add others; see `subscribeMembers`.)
 */
export function mayManage(reader: Reader, viewer: Viewer, stream: StreamRow): boolean {
  if (isAdministrator(viewer)) return true;
  return stream.creator_id === viewer.id && !isGuest(viewer) && isMember(reader, stream.conversation_id, viewer.id);
}

/** @throws ChatError the same for a stream that the member may not manage and for one that does not exist. */
export function managedStream(reader: Reader, viewer: Viewer, id: number): StreamRow {
  const stream = streams.byId(reader, id);
  if (!isAdministrator(viewer) && !(stream?.is_archived === 0 && mayManage(reader, viewer, stream))) {
    throw refused.mustBe('an organization administrator');
  }
  if (!stream) throw refused.invalidStreamId();
  if (stream.is_archived) throw refused.because('Stream is already deactivated');
  return stream;
}
