import { addReaction, removeReaction } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { react, removeOwnReaction } from './react.ts';

export function reactionRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(addReaction, async (request, { member }) => {
      await database.write((tx) => react(tx, log, memberNow(tx, member), request));
      return {};
    }),

    memberRoute(removeReaction, async (request, { member }) => {
      await database.write((tx) => removeOwnReaction(tx, log, memberNow(tx, member), request));
      return {};
    }),
  ];
}
