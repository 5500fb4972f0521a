import { ChatError, chooseNames } from '@engawa/chat-server/parts';
import {
  type Connection,
  type Registration,
  deleteQueue,
  deleteStream,
  getStreamId,
  getStreams,
  registerQueue,
  subscribe,
  unsubscribe,
  updateStream,
} from '@engawa/client';
import { type DirectoryChange, streamNameKey, type User } from '@engawa/protocol';
import { refused } from '../../http/errors.ts';
import type { OrganisationDirectory, OverviewRequest, Reorganisation, UserSummary } from '../backend.ts';

export interface ZulipDirectoryOptions {
  /** Of the administrator who acts. */
  readonly connection: Connection;
  /** Whether a stream belongs to a department. */
  readonly isBound: (streamId: number) => boolean;
  /** Publishes that the product's directory has changed. */
  readonly publish: (everybody: readonly UserSummary[], change: DirectoryChange) => void;
}

type HolderOf = Parameters<typeof chooseNames>[2];

interface StreamNow {
  readonly name: string;
  /** Undefined if the administrator may not see who is in it. */
  readonly subscribers: ReadonlySet<number> | undefined;
  /** In Zulip only members of a private stream can add others, whatever their role. */
  readonly canAdd: boolean;
}

interface OrganisationNow {
  readonly people: readonly UserSummary[];
  readonly streams: ReadonlyMap<number, StreamNow>;
}

/** Its members see earlier messages. */
const newStream = { invite_only: true, history_public_to_subscribers: true } as const;
/** Members in one call that subscribes or unsubscribes. */
const membersPerCall = 500;

/**
 * The people and streams of a Zulip server, with the key of the administrator who acts. People are managed in Zulip, so a
 * reorganisation changes only streams. Two answers have everything, because Zulip allows 200 calls a minute.
 */
export function zulipDirectory({ connection, isBound, publish }: ZulipDirectoryOptions): OrganisationDirectory {
  let asked: Promise<OrganisationNow> | undefined;
  const now = () => (asked ??= organisationNow(connection));

  const join = async (name: string, userIds: readonly number[]): Promise<void> => {
    for (let at = 0; at < userIds.length; at += membersPerCall) {
      await subscribe(connection, {
        subscriptions: [{ name }],
        principals: userIds.slice(at, at + membersPerCall),
        ...newStream,
      });
    }
  };
  const leave = async (name: string, userIds: readonly number[]): Promise<void> => {
    for (let at = 0; at < userIds.length; at += membersPerCall) {
      await unsubscribe(connection, { subscriptions: [name], principals: userIds.slice(at, at + membersPerCall) });
    }
  };
  /**
   * A stream that has the name already becomes the department's, unless it is another department's: the organisation may have
   * had it in Zulip, or an interrupted change has created it. The administrator joins it too, so that they can add others.
   */
  const create = async (name: string, userIds: readonly number[]): Promise<number> => {
    await subscribe(connection, { subscriptions: [{ name }], ...newStream });
    await join(name, userIds);
    return (await getStreamId(connection, { stream: name })).stream_id;
  };

  /** @throws RefusedError if the administrator is not in a private stream whose members would change. */
  const rehearse = async ({ streams: changes }: Reorganisation): Promise<ReadonlyMap<number, string>> => {
    const { streams } = await now();
    const names = namesAfter(changes, holderIn(streams));
    const holders = holdersIn(streams);
    const joined = changes.flatMap(({ streamId, joins }, index) => {
      // A department without a stream gets the one that has its name.
      if (streamId === undefined) return holders.get(streamNameKey(names.get(index) ?? '')) ?? [];
      return joins.length > 0 ? streamId : [];
    });
    requireStreams(joined.flatMap((streamId) => streams.get(streamId) ?? []));
    return names;
  };

  const carryOut = async (reorganisation: Reorganisation): Promise<number[]> => {
    const names = await rehearse(reorganisation);
    const { streams } = await now();
    const ids: number[] = [];
    for (const [index, { streamId, isArchived, ...members }] of reorganisation.streams.entries()) {
      const [joins, leaves] = [idsOf(members.joins), idsOf(members.leaves)];
      const wanted = names.get(index);
      if (streamId === undefined) {
        ids.push(await create(wanted ?? '', joins));
        continue;
      }
      ids.push(streamId);
      const before = streams.get(streamId)?.name;
      // A stream that somebody has archived in Zulip stays so.
      if (before === undefined) continue;
      const name = wanted ?? before;
      if (name !== before) await updateStream(connection, { stream_id: streamId, new_name: name });
      await join(name, joins);
      await leave(name, leaves);
      if (isArchived) await deleteStream(connection, { stream_id: streamId });
    }
    return ids;
  };
  const holderIn = (streams: OrganisationNow['streams']): HolderOf => {
    // An import asks for the names of hundreds of departments, and the organisation may have thousands of streams.
    const holders = holdersIn(streams);
    return (name, streamId) => {
      const holder = holders.get(streamNameKey(name));
      return streamId === undefined && holder !== undefined && !isBound(holder) ? undefined : holder;
    };
  };

  return {
    managesPeople: false,
    overview: async (request) => overviewOf(await now(), request),
    // Nobody is named in the product, so no name is taken here.
    *takenNames() {
      yield;
      return [];
    },
    chooseNames: async (namings, ended) => chooseNames(namings, ended, holderIn((await now()).streams)),
    rehearse: async (reorganisation) => void (await rehearse(reorganisation)),
    async reorganise(reorganisation) {
      if (reorganisation.made.length > 0 || reorganisation.changed.length > 0) {
        throw new ChatError(400, 'BAD_REQUEST', 'People are managed in the chat server.');
      }
      try {
        // Changes made before a refusal stay. A repeated plan finds its streams by name.
        return { users: [], streams: await carryOut(reorganisation) };
      } finally {
        asked = undefined;
      }
    },
    async publishDirectory(change) {
      publish((await now()).people, change);
    },
  };
}

async function organisationNow(connection: Connection): Promise<OrganisationNow> {
  const registered = await registerQueue(connection, {
    event_types: ['realm_user'],
    fetch_event_types: ['realm_user', 'subscription'],
    include_subscribers: true,
    client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
  });
  await deleteQueue(connection, { queue_id: registered.queue_id });
  // `register` leaves out private streams that the administrator is not in, depending on the version.
  const { streams } = await getStreams(connection, { include_all_active: true });
  const subscribers = subscribersIn(registered);
  const own = new Set(registered.subscriptions?.map(({ stream_id }) => stream_id));
  return {
    people: peopleIn(registered),
    streams: new Map(
      streams.map(({ stream_id, name, invite_only: isPrivate }) => [
        stream_id,
        { name, subscribers: subscribers.get(stream_id), canAdd: !isPrivate || own.has(stream_id) },
      ]),
    ),
  };
}

/** Called before anything is changed. @throws RefusedError if the administrator cannot add members to one of the streams. */
function requireStreams(streams: readonly StreamNow[]): void {
  const closed = streams.filter(({ canAdd }) => !canAdd);
  if (closed.length > 0) throw refused.notInStreams(closed.map(({ name }) => name));
}

/** The streams by the keys of their names. */
function holdersIn(streams: OrganisationNow['streams']): ReadonlyMap<string, number> {
  return new Map([...streams].map(([id, { name }]) => [streamNameKey(name), id]));
}

function peopleIn({ realm_users: active = [], realm_non_active_users: inactive = [] }: Registration): UserSummary[] {
  return [...summaries(active, true), ...summaries(inactive, false)];
}

function summaries(users: readonly User[], isActive: boolean): UserSummary[] {
  return users
    .filter(({ is_bot: isBot }) => !isBot)
    .map((user) => ({
      userId: user.user_id,
      // Members sign in with the delivery address; the other one may be made up.
      email: user.delivery_email ?? user.email,
      fullName: user.full_name,
      role: user.role,
      isActive,
      hasPassword: true,
      joined: Math.floor(Date.parse(user.date_joined) / 1000),
    }));
}

function subscribersIn({ subscriptions = [], unsubscribed = [], never_subscribed: others = [] }: Registration) {
  const streams = [...subscriptions, ...unsubscribed, ...others];
  return new Map(
    streams.flatMap(({ stream_id, subscribers }) => (subscribers ? [[stream_id, new Set(subscribers)] as const] : [])),
  );
}

function overviewOf({ people, streams }: OrganisationNow, { userIds, emails, streamIds, also }: OverviewRequest) {
  const [ids, addresses] = [new Set(userIds), new Set(emails)];
  const chosen = people.filter(
    ({ userId, email, role, isActive }) =>
      also === 'everybody' ||
      (also === 'owners' && role === 100 && isActive) ||
      ids.has(userId) ||
      addresses.has(email.toLowerCase()),
  );
  const known = streamIds.flatMap((streamId) => {
    const stream = streams.get(streamId);
    return stream ? [{ streamId, ...stream }] : [];
  });
  return {
    people: chosen,
    streams: known.map(({ streamId, name }) => ({ streamId, name, isArchived: false })),
    stays: known.flatMap(({ streamId, subscribers }) =>
      chosen.flatMap(({ userId }) => (subscribers?.has(userId) ? [{ streamId, userId }] : [])),
    ),
    hiddenStreams: known.filter(({ subscribers }) => !subscribers).map(({ streamId }) => streamId),
  };
}

/** The names that streams get, by their place among the changes. */
function namesAfter(changes: Reorganisation['streams'], holderOf: HolderOf): ReadonlyMap<number, string> {
  const named = changes.flatMap(({ streamId, names }, index) => (names ? [{ index, streamId, names }] : []));
  const ended = changes.flatMap(({ streamId, isArchived }) => (isArchived && streamId !== undefined ? streamId : []));
  const chosen = chooseNames(named, ended, holderOf);
  return new Map(named.map(({ index }, at) => [index, chosen[at] ?? '']));
}

const idsOf = (people: readonly (number | string)[]): number[] => people.filter((person) => typeof person === 'number');
