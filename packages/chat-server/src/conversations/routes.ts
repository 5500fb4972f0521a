import { getSubscriptions } from '@engawa/protocol';
import type { Database } from '../database/index.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { subscriptionsOf } from './view.ts';

export function subscriptionRoutes(database: Database): Route[] {
  return [
    memberRoute(getSubscriptions, ({ include_subscribers }, { member }) => ({
      subscriptions: database.snapshot((reader) => subscriptionsOf(reader, member.id, include_subscribers)),
    })),
  ];
}
