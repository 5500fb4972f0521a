import { type Clock, seconds } from '../clock.ts';
import { type Viewer, isMember } from '../conversations/access.ts';
import { archive } from '../streams/archive.ts';
import type { Bindings } from '../streams/bindings.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import { beginFirstMemberships, beginMemberships, endPausedMemberships, subscribe, unsubscribe } from '../streams/subscribe.ts';
import { peersChanged, streamUpdated } from '../streams/events.ts';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type UserRow, users } from '../identity/store.ts';
import { roleOf } from '../identity/member.ts';
import type { BoundStreamChange, Person } from './reorganisation.ts';
import { chooseNames } from './streamNames.ts';

export interface StreamRooms {
  readonly log: EventLog;
  readonly bindings: Bindings;
  readonly clock: Clock;
}

/**
 * The work grows with who joins and leaves.
 * @param newcomers whom the same change has made, by their emails.
 * @returns the streams' ids, in their order.
 */
export function changeStreams(
  tx: Transaction,
  rooms: StreamRooms,
  changes: readonly BoundStreamChange[],
  newcomers: ReadonlyMap<string, number>,
): number[] {
  const { log } = rooms;
  const people = new People(tx, newcomers);
  // Streams that end are left by everybody, and let go of their names for others.
  for (const { streamId, isArchived } of changes) {
    const stream = streamId !== undefined && isArchived ? openStream(tx, streamId) : undefined;
    if (stream) archive(tx, log, stream);
  }
  const ids = nameEach(tx, rooms, changes);
  for (const [index, { joins, leaves }] of changes.entries()) {
    const stream = openStream(tx, ids[index]);
    if (!stream) continue;
    leave(
      tx,
      rooms,
      stream,
      leaves.map((person) => people.find(person)),
    );
    join(
      tx,
      log,
      stream,
      joins.map((person) => people.find(person)),
    );
  }
  return ids;
}

/** Makes those that are new, and renames the others. @returns their ids. */
function nameEach(tx: Transaction, { log, clock }: StreamRooms, changes: readonly BoundStreamChange[]): number[] {
  const namings = changes.flatMap(({ streamId, names, isArchived }, index) =>
    names === undefined || isArchived ? [] : [{ index, streamId, names }],
  );
  const chosen = new Map(chooseNames(tx, namings).map((name, place) => [namings[place]?.index, name]));
  const renamings = changes.flatMap(({ streamId }, index) => {
    const name = chosen.get(index);
    const stream = openStream(tx, streamId);
    return stream && name !== undefined && name !== stream.name ? [{ stream, name }] : [];
  });
  // Two may exchange their names.
  for (const { stream } of renamings) streams.releaseName(tx, stream.conversation_id);
  for (const { stream, name } of renamings) {
    streams.rename(tx, stream.conversation_id, name);
    log.append(tx, streamUpdated(stream, 'name', name));
  }
  return changes.map(({ streamId }, index) => streamId ?? make(tx, chosen.get(index) ?? '', seconds(clock)));
}

/** Nobody's own: it is the organisation's. Nobody is told, because nobody is in it yet. */
function make(tx: Transaction, name: string, created: number): number {
  return streams.insert(tx, { name, description: '', invite_only: 1, creator_id: null, created }, true);
}

function openStream(tx: Transaction, id: number | undefined): StreamRow | undefined {
  const stream = id === undefined ? undefined : streams.byId(tx, id);
  return stream?.is_archived === 0 ? stream : undefined;
}

function leave(tx: Transaction, { log, bindings }: StreamRooms, stream: StreamRow, leavers: readonly Found[]): void {
  unsubscribe(
    tx,
    log,
    bindings,
    stream,
    leavers.filter(({ isActive }) => isActive),
  );
  endPausedMemberships(
    tx,
    log,
    stream,
    leavers.filter(({ isActive }) => !isActive),
  );
}

/** Who was made just now has no client that could be told, and who is not active is seen by nobody. */
function join(tx: Transaction, log: EventLog, stream: StreamRow, joiners: readonly Found[]): void {
  const streamId = stream.conversation_id;
  const [made, others] = [joiners.filter(({ isNew }) => isNew), joiners.filter(({ isNew }) => !isNew)];
  subscribe(
    tx,
    log,
    stream,
    others.filter(({ isActive }) => isActive),
  );
  const unseen = others.filter(({ id, isActive }) => !isActive && !isMember(tx, streamId, id));
  const seen = made.filter(({ isActive }) => isActive);
  if (seen.length > 0) log.append(tx, peersChanged(stream, 'peer_add', seen));
  const { newest } = log.bounds(tx);
  beginMemberships(
    tx,
    streamId,
    unseen.map(({ id }) => id),
    newest,
  );
  beginFirstMemberships(tx, streamId, made, newest);
  for (const each of made) each.count += 1;
}

interface Found extends Viewer {
  readonly isActive: boolean;
  readonly isNew: boolean;
  /** Of one who is made: how many streams they are in so far. */
  count: number;
}

/** Each is looked up once. */
class People {
  readonly #tx: Transaction;
  readonly #newcomers: ReadonlyMap<string, number>;
  readonly #found = new Map<Person, Found>();

  constructor(tx: Transaction, newcomers: ReadonlyMap<string, number>) {
    this.#tx = tx;
    this.#newcomers = newcomers;
  }

  find(person: Person): Found {
    const known = this.#found.get(person);
    if (known) return known;
    const isNew = typeof person === 'string';
    const id = isNew ? this.#newcomers.get(person.toLowerCase()) : person;
    const user = id === undefined ? undefined : users.byId(this.#tx, id);
    if (!user) throw refused.noSuchUser();
    const found = viewOf(user, isNew);
    this.#found.set(person, found);
    return found;
  }
}

function viewOf(user: UserRow, isNew: boolean): Found {
  return { id: user.id, role: roleOf(user), isActive: user.is_active === 1, isNew, count: 0 };
}
