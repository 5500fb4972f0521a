import { getRealmPresence, getUserPresence, type presences, updatePresence } from '@engawa/protocol';
import type { z } from 'zod';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, WrittenAnswer, memberRoute } from '../http/router.ts';
import { users } from '../identity/store.ts';
import type { Presence } from './presence.ts';
import { legacyView, userPresenceView } from './view.ts';

export interface PresenceRooms {
  readonly database: Database;
  readonly presence: Presence;
  readonly clock: Clock;
}

export function presenceRoutes({ database, presence, clock }: PresenceRooms): Route[] {
  const now = () => clock.now() / 1000;
  return [
    memberRoute(updatePresence, ({ status, ping_only, slim_presence, last_update_id }, { member }) => {
      if (status !== 'active' && status !== 'idle') throw refused.because(`Invalid status: ${status}`);
      presence.note(member.id, status === 'active');
      if (ping_only) return {};
      const isSlim = slim_presence || last_update_id !== undefined;
      const told = presencesText(database.reader, presence, member.id, isSlim, last_update_id);
      const update = `"presence_last_update_id":${presence.updateId}`;
      return answerOf(`"presences":${told},"server_timestamp":${now()},${update}`);
    }),

    memberRoute(getRealmPresence, (_, { member }) =>
      answerOf(`"presences":${presencesText(database.reader, presence, member.id, false)},"server_timestamp":${now()}`),
    ),

    memberRoute(getUserPresence, ({ user_id }, { member }) => {
      const user = users.byId(database.reader, user_id);
      if (!user?.is_active) throw refused.noSuchUser();
      const shown = presence.of(member.id, user_id);
      if (!shown) throw refused.because(`No presence data for ${user_id}`);
      return { presence: userPresenceView(shown, seconds(clock)) };
    }),
  ];
}

const answerOf = (parts: string) => new WrittenAnswer(Buffer.from(`{"result":"success","msg":"",${parts}}\n`));

/** What a member is told of everybody. */
export function presencesFor(
  reader: Reader,
  presence: Presence,
  viewerId: number,
  isSlim: boolean,
  lastUpdateId = -1,
): z.input<typeof presences> {
  if (!presence.isShown(viewerId)) return {};
  const shown = [...presence.since(lastUpdateId)];
  if (isSlim) return Object.fromEntries(shown);
  const emails = new Map(users.all(reader).map(({ id, email }) => [id, email]));
  return Object.fromEntries(shown.map(([id, times]) => [emails.get(id) ?? '', legacyView(times)]));
}

/** The same as JSON, which is written once for all who ask alike. */
function presencesText(...asked: Parameters<typeof presencesFor>): string {
  const [, presence, viewerId, isSlim, lastUpdateId] = asked;
  if (!presence.isShown(viewerId)) return '{}';
  const since = lastUpdateId === undefined ? -1 : Math.max(-1, lastUpdateId);
  return presence.shared(`${isSlim} ${since}`, () => JSON.stringify(presencesFor(...asked)));
}
