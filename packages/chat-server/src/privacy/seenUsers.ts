import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Viewer, isGuest, viewerOf } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { sharedConversations } from './store.ts';

export type { Viewer } from '../identity/member.ts';

export function activeViewer(reader: Reader, userId: number): Viewer | undefined {
  const user = users.byId(reader, userId);
  return user?.is_active ? viewerOf(user) : undefined;
}

/**
 * THE rule of which users exist for a viewer. A guest sees themselves and the users who are current members of one of their
 * conversations, whatever the role of the other. Everyone else sees all users. @returns those of `userIds` whom the viewer sees.
 */
export function seenAmong(reader: Reader, viewer: Viewer, userIds: readonly number[]): ReadonlySet<number> {
  if (!isGuest(viewer)) return new Set(userIds);
  const seen = new Set(sharedConversations.usersAmong(reader, viewer.id, userIds));
  return userIds.includes(viewer.id) ? seen.add(viewer.id) : seen;
}

/** Like `seenAmong`, of all users. */
export function seenUsers(reader: Reader, viewer: Viewer): ReadonlySet<number> | 'everyone' {
  return isGuest(viewer) ? new Set(sharedConversations.users(reader, viewer.id)).add(viewer.id) : 'everyone';
}

export function seesUser(reader: Reader, viewer: Viewer, userId: number): boolean {
  return seenAmong(reader, viewer, [userId]).has(userId);
}

/** @throws ChatError the same `No such user` for a missing user and for one whom the viewer does not see. */
export function seenUser(reader: Reader, viewer: Viewer, userId: number): UserRow {
  const user = users.byId(reader, userId);
  if (!user || !seesUser(reader, viewer, userId)) throw refused.noSuchUser();
  return user;
}

/** Like `seenUser`, by address. */
export function seenUserNamed(reader: Reader, viewer: Viewer, email: string): UserRow {
  const user = users.byEmail(reader, email);
  if (!user || !seesUser(reader, viewer, user.id)) throw refused.noSuchUser();
  return user;
}

/** They replace the address and name of a user whom the viewer does not see. The name is Zulip's. */
export const unseenEmail = (userId: number): string => `user${userId}@unseen.invalid`;
export const unseenName = 'Unknown user';
