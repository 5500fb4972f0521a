import {
  deleteStream,
  getStream,
  getStreamEmailAddress,
  getStreamId,
  getStreams,
  getSubscribers,
  getSubscriptionStatus,
  getSubscriptions,
  getTopics,
  subscribe,
  unsubscribe,
  updateStream,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
  updateSubscriptions,
} from '@engawa/protocol';
import { seconds } from '../clock.ts';
import { visibleStreamOf } from '../conversations/access.ts';
import { valueIn } from '../conversations/recipients.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import type { Transaction } from '../database/index.ts';
import { memberNow } from '../identity/currentMember.ts';
import { archivableStream, archive } from './archive.ts';
import type { StreamDependencies } from './dependencies.ts';
import { isSubscribed, selectedStreams, streamIdOf, streamOfId, subscribersOf, topicsOf } from './list.ts';
import { notificationDefaults } from './notifications.ts';
import { setProperty } from './properties.ts';
import { type Steps, atOnce } from '../turns.ts';
import { subscribeMembers, unsubscribeMembers } from './subscriptions.ts';
import { updateStream as update } from './update.ts';
import { subscriptionsOf } from './view.ts';

/** Changes of few members share a transaction with other calls. */
const mostAtOnce = 20;

export function subscriptionRoutes(dependencies: StreamDependencies): Route[] {
  const { database, log, bindings, clock } = dependencies;
  const change = <Result>(principals: readonly unknown[] = [], steps: (tx: Transaction) => Steps<Result>): Promise<Result> =>
    database.writeInSteps(steps, { isShort: principals.length <= mostAtOnce });
  return [
    memberRoute(getSubscriptions, ({ include_subscribers }, { member }) => ({
      subscriptions: database.snapshot((reader) =>
        subscriptionsOf(reader, member, {
          subscribers: include_subscribers,
          defaults: notificationDefaults(reader, member.id, false),
        }),
      ),
    })),

    memberRoute(subscribe, (request, { member }) =>
      change(request.principals, (tx) => subscribeMembers(tx, dependencies, memberNow(tx, member), request, seconds(clock))),
    ),

    memberRoute(unsubscribe, (request, { member }) =>
      change(request.principals, (tx) => unsubscribeMembers(tx, log, bindings, memberNow(tx, member), request)),
    ),

    memberRoute(updateSubscriptions, ({ add, delete: names }, { member }) => {
      if (add.length === 0 && names.length === 0) {
        throw refused.because('Nothing to do. Specify at least one of "add" or "delete".');
      }
      return database.write((tx) => {
        const caller = memberNow(tx, member);
        return {
          ...atOnce(subscribeMembers(tx, dependencies, caller, { subscriptions: add }, seconds(clock))),
          ...atOnce(unsubscribeMembers(tx, log, bindings, caller, { subscriptions: names })),
        };
      });
    }),

    memberRoute(updateSubscriptionProperties, ({ subscription_data: changes }, { member }) =>
      database.write((tx) => {
        const caller = memberNow(tx, member);
        for (const change of changes) setProperty(tx, log, caller, change);
      }),
    ),

    memberRoute(updateSubscriptionProperty, ({ value, ...change }, { member }) =>
      database.write((tx) => setProperty(tx, log, memberNow(tx, member), { ...change, value: valueIn(value) })),
    ),
  ];
}

export function streamRoutes({ database, log, bindings }: StreamDependencies): Route[] {
  return [
    memberRoute(getStreams, (request, { member }) => ({
      streams: database.snapshot((reader) => selectedStreams(reader, member, request)),
    })),

    memberRoute(getStream, ({ stream_id }, { member }) => ({
      stream: database.snapshot((reader) => streamOfId(reader, member, stream_id)),
    })),

    memberRoute(getStreamId, ({ stream }, { member }) => ({
      stream_id: database.snapshot((reader) => streamIdOf(reader, member, stream)),
    })),

    memberRoute(getSubscribers, ({ stream_id }, { member }) => ({
      subscribers: database.snapshot((reader) => subscribersOf(reader, member, stream_id)),
    })),

    memberRoute(getSubscriptionStatus, ({ user_id, stream_id }, { member }) => ({
      is_subscribed: database.snapshot((reader) => isSubscribed(reader, member, user_id, stream_id)),
    })),

    memberRoute(getStreamEmailAddress, ({ stream_id }, { member }) => {
      visibleStreamOf(database.reader, member, stream_id);
      throw refused.because('Posting to streams by email is disabled in this organization.');
    }),

    memberRoute(getTopics, ({ stream_id }, { member }) => ({
      topics: database.snapshot((reader) => topicsOf(reader, member, stream_id)),
    })),

    memberRoute(updateStream, (request, { member }) =>
      database.write((tx) => update(tx, log, bindings, memberNow(tx, member), request)),
    ),

    memberRoute(deleteStream, ({ stream_id }, { member }) =>
      database.write((tx) => archive(tx, log, archivableStream(tx, bindings, memberNow(tx, member), stream_id))),
    ),
  ];
}
