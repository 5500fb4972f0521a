import {
  deleteStream,
  getStream,
  getStreamId,
  getStreams,
  getSubscriptions,
  getTopics,
  subscribe,
  unsubscribe,
  updateStream,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
  updateSubscriptions,
} from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { archivable, archive } from './archive.ts';
import type { Bindings } from './bindings.ts';
import { changeStream } from './update.ts';
import { streamIdOf, streamOfId, streamsAsked, topicsOf } from './list.ts';
import { whereUnset } from './notifications.ts';
import { setProperties } from './properties.ts';
import { valueIn } from '../conversations/recipients.ts';
import { type SubscriptionRooms, subscribeAsAsked, unsubscribeAsAsked } from './subscriptions.ts';
import { subscriptionsOf } from './view.ts';

interface Rooms extends SubscriptionRooms {
  readonly database: Database;
  readonly bindings: Bindings;
  readonly clock: Clock;
}

export function subscriptionRoutes({ database, bindings, clock, ...rooms }: Rooms): Route[] {
  const { log } = rooms;
  return [
    memberRoute(getSubscriptions, ({ include_subscribers }, { member }) => ({
      subscriptions: database.snapshot((reader) =>
        subscriptionsOf(reader, member.id, {
          subscribers: include_subscribers,
          unset: whereUnset(reader, member.id, false),
        }),
      ),
    })),

    memberRoute(subscribe, (asked, { member }) =>
      database.write((tx) => subscribeAsAsked(tx, rooms, memberNow(tx, member), asked, seconds(clock))),
    ),

    memberRoute(unsubscribe, (asked, { member }) =>
      database.write((tx) => unsubscribeAsAsked(tx, log, bindings, memberNow(tx, member), asked)),
    ),

    memberRoute(updateSubscriptions, ({ add, delete: names }, { member }) => {
      if (add.length === 0 && names.length === 0) {
        throw refused.because('Nothing to do. Specify at least one of "add" or "delete".');
      }
      return database.write((tx) => {
        const caller = memberNow(tx, member);
        return {
          ...subscribeAsAsked(tx, rooms, caller, { subscriptions: add }, seconds(clock)),
          ...unsubscribeAsAsked(tx, log, bindings, caller, { subscriptions: names }),
        };
      });
    }),

    memberRoute(updateSubscriptionProperties, async ({ subscription_data: settings }, { member }) => {
      await database.write((tx) => setProperties(tx, log, memberNow(tx, member), settings));
      return {};
    }),

    memberRoute(updateSubscriptionProperty, async ({ value, ...setting }, { member }) => {
      const settings = [{ ...setting, value: valueIn(value) }];
      await database.write((tx) => setProperties(tx, log, memberNow(tx, member), settings));
      return {};
    }),
  ];
}

export function streamRoutes(database: Database, log: EventLog, bindings: Bindings): Route[] {
  return [
    memberRoute(getStreams, (asked, { member }) => ({
      streams: database.snapshot((reader) => streamsAsked(reader, member, asked)),
    })),

    memberRoute(getStream, ({ stream_id }, { member }) => ({
      stream: database.snapshot((reader) => streamOfId(reader, member, stream_id)),
    })),

    memberRoute(getStreamId, ({ stream }, { member }) => ({
      stream_id: database.snapshot((reader) => streamIdOf(reader, member, stream)),
    })),

    memberRoute(getTopics, ({ stream_id }, { member }) => ({
      topics: database.snapshot((reader) => topicsOf(reader, member, stream_id)),
    })),

    memberRoute(updateStream, async (asked, { member }) => {
      await database.write((tx) => changeStream(tx, log, bindings, memberNow(tx, member), asked));
      return {};
    }),

    memberRoute(deleteStream, async ({ stream_id }, { member }) => {
      await database.write((tx) => archive(tx, log, archivable(tx, bindings, memberNow(tx, member), stream_id)));
      return {};
    }),
  ];
}
