import { getRealmPresence, getUserPresence, getUserPresenceByEmail, type presences, updatePresence } from '@engawa/protocol';
import type { z } from 'zod';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, WrittenAnswer, memberRoute } from '../http/router.ts';
import { isGuest } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { type Viewer, seenUser, seenUserNamed, seenUsers } from '../privacy/seenUsers.ts';
import type { Presence, PresenceTimes } from './presence.ts';
import { legacyView, userPresenceView } from './view.ts';

export function presenceRoutes(database: Database, presence: Presence, clock: Clock): Route[] {
  const now = () => clock.now() / 1000;
  const presenceOf = (viewer: Viewer, user: UserRow) => {
    if (!user.is_active) throw refused.noSuchUser();
    const times = presence.of(viewer.id, user.id);
    if (!times) throw refused.because(`No presence data for ${user.id}`);
    return { presence: userPresenceView(times, seconds(clock)) };
  };
  return [
    memberRoute(updatePresence, ({ status, ping_only, slim_presence, last_update_id }, { member }) => {
      if (status !== 'active' && status !== 'idle') throw refused.because(`Invalid status: ${status}`);
      presence.note(member.id, status === 'active');
      if (ping_only) return {};
      const isSlim = slim_presence || last_update_id !== undefined;
      const text = presencesText(database.reader, presence, member, isSlim, last_update_id);
      const update = `"presence_last_update_id":${presence.updateId}`;
      return answerOf(`"presences":${text},"server_timestamp":${now()},${update}`);
    }),

    memberRoute(getRealmPresence, (_, { member }) =>
      answerOf(`"presences":${presencesText(database.reader, presence, member, false)},"server_timestamp":${now()}`),
    ),

    memberRoute(getUserPresence, ({ user_id }, { member }) => presenceOf(member, seenUser(database.reader, member, user_id))),
    memberRoute(getUserPresenceByEmail, ({ email }, { member }) =>
      presenceOf(member, seenUserNamed(database.reader, member, email)),
    ),
  ];
}

const answerOf = (parts: string) => new WrittenAnswer(Buffer.from(`{"result":"success","msg":"",${parts}}\n`));

/** @param now unix seconds, with a fraction. */
export function presenceState(reader: Reader, presence: Presence, viewer: Viewer, isSlim: boolean, now: number) {
  return {
    presences: presencesFor(reader, presence, viewer, isSlim),
    server_timestamp: now,
    presence_last_update_id: presence.updateId,
  };
}

function presencesFor(
  reader: Reader,
  presence: Presence,
  viewer: Viewer,
  isSlim: boolean,
  lastUpdateId = -1,
): z.input<typeof presences> {
  if (!presence.isShown(viewer.id)) return {};
  const shown = [...shownTo(reader, presence, viewer, lastUpdateId)];
  if (isSlim) return Object.fromEntries(shown);
  const emails = new Map(users.all(reader).map(({ id, email }) => [id, email]));
  return Object.fromEntries(
    shown.flatMap(([id, times]) => {
      const email = emails.get(id);
      // Presence is live, so it may have users who were created after the snapshot of a registration.
      return email === undefined ? [] : [[email, legacyView(times)]];
    }),
  );
}

/** A guest always gets everyone they see: since their last update they may have begun to see a member who has not changed. */
function shownTo(reader: Reader, presence: Presence, viewer: Viewer, lastUpdateId: number): ReadonlyMap<number, PresenceTimes> {
  const changed = presence.since(lastUpdateId);
  const seen = seenUsers(reader, viewer);
  if (seen === 'everyone') return changed;
  return new Map([...presence.since(-1), ...changed].filter(([id]) => seen.has(id)));
}

function presencesText(...parameters: Parameters<typeof presencesFor>): string {
  const [, presence, viewer, isSlim, lastUpdateId] = parameters;
  if (!presence.isShown(viewer.id)) return '{}';
  const write = () => JSON.stringify(presencesFor(...parameters));
  if (isGuest(viewer)) return write();
  const since = lastUpdateId === undefined ? -1 : Math.max(-1, lastUpdateId);
  return presence.shared(`${isSlim} ${since}`, write);
}
