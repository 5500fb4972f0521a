import { addReaction, removeReaction } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { react, takeBack } from './react.ts';

export function reactionRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(addReaction, async (adding, { member }) => {
      await database.write((tx) => react(tx, log, memberNow(tx, member), adding));
      return {};
    }),

    memberRoute(removeReaction, async (removing, { member }) => {
      await database.write((tx) => takeBack(tx, log, memberNow(tx, member), removing));
      return {};
    }),
  ];
}
