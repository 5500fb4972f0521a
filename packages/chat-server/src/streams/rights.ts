import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { isAdministrator, isGuest } from '../identity/member.ts';
import { type Viewer, isMember } from '../conversations/access.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';

/**
 * THE rule of who may change a stream, close it, and remove others from it: whoever made it, while they are in it, and
 * administrators. (Whoever is in it and is no guest may let others in: that is the rule of `subscribe`.)
 */
export function mayManage(reader: Reader, viewer: Viewer, stream: StreamRow): boolean {
  if (isAdministrator(viewer)) return true;
  return stream.creator_id === viewer.id && !isGuest(viewer) && isMember(reader, stream.conversation_id, viewer.id);
}

/**
 * A stream that a member may manage. Who may not is told the same of every one, also of those that are not there.
 * @throws ChatError
 */
export function managedStream(reader: Reader, viewer: Viewer, id: number): StreamRow {
  const stream = streams.byId(reader, id);
  if (!isAdministrator(viewer) && !(stream?.is_archived === 0 && mayManage(reader, viewer, stream))) {
    throw refused.mustBe('an organization administrator');
  }
  if (!stream) throw refused.invalidStreamId();
  if (stream.is_archived) throw refused.because('Stream is already deactivated');
  return stream;
}
