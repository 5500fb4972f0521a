import { getServerSettings, getSubscriptions, getUsers } from '@engawa/client';
import { roles } from '@engawa/protocol';
import type { Database } from '@engawa/chat-server/database';
import type { RateLimits } from '@engawa/chat-server/parts';
import type { ZulipSettings } from '../../configuration.ts';
import { refused } from '../../http/errors.ts';
import type { Live } from '../../live/live.ts';
import type { Log } from '../../log/log.ts';
import type { ChatBackend, UserSummary } from '../backend.ts';
import { connectionsTo } from '../connections.ts';
import { conversationsAtZulip } from './conversations.ts';
import { capabilitiesAt } from './capabilities.ts';
import { type ZulipDirectoryOptions, zulipDirectory } from './directory.ts';
import { filesAtZulip } from './files.ts';
import { createRefusals } from './refusals.ts';
import { keep, keptCapabilities } from './kept/keep.ts';
import { ownAccountCalls } from './ownAccount.ts';
import { askZulip, ofPictures, requestAtZulip } from './request.ts';
import { sentFilesIn } from './sentFiles.ts';
import { createUpstream } from './upstream.ts';

export interface RemoteOptions {
  readonly zulip: ZulipSettings;
  readonly database: Database;
  /** Whether a stream belongs to a department. */
  readonly isBound: (streamId: number) => boolean;
  readonly live: Live;
  readonly rateLimits: RateLimits | 'none';
  readonly now: () => number;
  readonly log: Log;
}

const idsOf = (users: readonly UserSummary[] = []) => users.map(({ userId }) => userId);

/** A Zulip server of the organisation, over HTTP. */
export function remoteBackend({ zulip, database, isBound, live, rateLimits, now, log }: RemoteOptions): ChatBackend {
  const upstream = createUpstream(zulip);
  const stopped = new AbortController();
  const ask = askZulip({ upstream, stopped: stopped.signal, log });
  const request = keep(requestAtZulip({ ask, refusals: createRefusals(now, rateLimits), now }), {
    database,
    now,
    rateLimits,
    publish: (userIds, event) => live.publish(userIds, event),
    log,
  });
  const { pictures, renew } = ownAccountCalls((call) => ask(call, call.url, ofPictures));
  const connectAs = connectionsTo(request);
  const publish: ZulipDirectoryOptions['publish'] = (everybody, { people, departments }) => {
    const userIds = people?.map(({ user_id }) => user_id) ?? [];
    const { guests, others } = Object.groupBy(everybody, ({ role }) => (role === roles.guest ? 'guests' : 'others'));
    live.publish(idsOf(others), { type: 'directory', user_ids: userIds, people, departments });
    // Only Zulip knows whom a guest sees, so their client fetches the directory.
    live.publishEach(idsOf(guests), (id) => ({ type: 'directory', user_ids: userIds.includes(id) ? [id] : [], departments }));
  };
  return {
    request,
    async capabilities() {
      const { zulip_feature_level: level } = await getServerSettings(connectAs(), {});
      return [...capabilitiesAt(level), ...keptCapabilities, 'departments', 'server_status'];
    },
    async sightOf({ id, role, authorization }) {
      if (role !== roles.guest) return undefined;
      const connection = connectAs(authorization);
      const [{ members }, { subscriptions }] = await Promise.all([getUsers(connection, {}), getSubscriptions(connection, {})]);
      return {
        users: new Set([id, ...members.map(({ user_id }) => user_id)]),
        streams: new Set(subscriptions.map(({ stream_id }) => stream_id)),
      };
    },
    keys: {
      accountOf: () => undefined,
      keyId: () => undefined,
      // The member's key is also that of their other programs, so it outlives a session.
      end: () => Promise.resolve(),
      renew,
    },
    sentFiles: sentFilesIn(database),
    // Not `request`: it passes only the calls that clients may make.
    conversations: conversationsAtZulip({ connectAs: connectionsTo((call) => ask(call, call.url)), live, now }),
    pictures,
    openFile: filesAtZulip(upstream, log),
    async directoryAs(actor) {
      // Zulip is changed only with the key of a person.
      if (typeof actor !== 'object') throw refused.managedInChatServer();
      return zulipDirectory({ connection: connectAs(actor.authorization), isBound, publish });
    },
    directory: undefined,
    warmUp: () => Promise.resolve(),
    hooks: undefined,
    outgoingHooks: undefined,
    measure: undefined,
    // A supervisor that restarts this process does not repair Zulip, so only the doctor asks it.
    probe: () => Promise.resolve(),
    stopPolls: () => stopped.abort(),
    async close() {
      upstream.close();
    },
  };
}
