import type { Reader } from '../database/index.ts';
import { isGuest } from '../identity/member.ts';
import { seenUsers } from '../privacy/seenUsers.ts';
import type { Viewer } from './access.ts';
import { memberships } from './memberships.ts';

/** The part of the organisation that exists for a guest. */
export interface GuestSight {
  /** The users with whom they share a conversation, and themselves. */
  readonly users: ReadonlySet<number>;
  /** Their streams. */
  readonly streams: ReadonlySet<number>;
}

/** @returns undefined for other roles, for which all users and all departments exist. */
export function guestSight(reader: Reader, viewer: Viewer): GuestSight | undefined {
  const [users, streams] = [seenUsers(reader, viewer), guestStreams(reader, viewer)];
  return users === 'everyone' || !streams ? undefined : { users, streams };
}

/** Only the streams of `guestSight`, because the users would cost a look at the members of all conversations. */
export function guestStreams(reader: Reader, viewer: Viewer): ReadonlySet<number> | undefined {
  if (!isGuest(viewer)) return undefined;
  return new Set(memberships.subscriptions(reader, viewer.id).map(({ conversation_id }) => conversation_id));
}
