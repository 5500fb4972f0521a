import { seconds } from '../clock.ts';
import type { Viewer } from '../conversations/access.ts';
import { publishSightGained } from '../conversations/sightChanges.ts';
import { type StreamRow, streams } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { viewerOf } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import { archive } from '../streams/archive.ts';
import type { Announce } from '../streams/announcement.ts';
import type { Bindings } from '../streams/bindings.ts';
import { peersChanged, streamUpdated } from '../streams/events.ts';
import {
  beginFirstMemberships,
  beginMemberships,
  endPausedMemberships,
  othersAmong,
  subscribe,
  unsubscribe,
} from '../streams/subscribe.ts';
import type { Steps } from '../turns.ts';
import type { PeopleDependencies } from './people.ts';
import type { BoundStreamChange, Person, Reorganiser } from './reorganisation.ts';
import { chooseNames } from './streamNames.ts';

export interface StreamDependencies extends PeopleDependencies {
  readonly bindings: Bindings;
  readonly announce: Announce;
}

/** A larger plan, such as an import, announces nobody in the streams. */
const mostAnnounced = 20;

/** @param newcomers the users that the same reorganisation creates, by email. @returns the stream ids, in order. */
export function* changeStreams(
  tx: Transaction,
  dependencies: StreamDependencies,
  by: Reorganiser,
  changes: readonly BoundStreamChange[],
  newcomers: ReadonlyMap<string, number>,
): Steps<number[]> {
  const { log, announce } = dependencies;
  const people = new People(tx, newcomers);
  // Streams are archived first, so that other streams can get their names.
  for (const { streamId, isArchived } of changes) {
    const stream = streamId !== undefined && isArchived ? openStream(tx, streamId) : undefined;
    if (stream) archive(tx, log, stream);
  }
  const ids = nameStreams(tx, dependencies, changes);
  const isAnnounced = by !== 'console' && changes.reduce((count, { joins }) => count + joins.length, 0) <= mostAnnounced;
  for (const [index, { joins, leaves }] of changes.entries()) {
    const stream = openStream(tx, ids[index]);
    if (!stream) continue;
    yield* leave(tx, dependencies, stream, yield* people.findAll(leaves));
    const newcomers = yield* join(tx, log, stream, yield* people.findAll(joins));
    if (isAnnounced) announce(tx, stream, { by, isNew: false, newcomers });
  }
  return ids;
}

function nameStreams(tx: Transaction, { log, clock }: StreamDependencies, changes: readonly BoundStreamChange[]): number[] {
  const namings = changes.flatMap(({ streamId, names, isArchived }, index) =>
    names === undefined || isArchived ? [] : [{ index, streamId, names }],
  );
  const chosen = new Map(
    chooseNames(namings, [], (name) => streams.byName(tx, name)?.conversation_id).map((name, position) => [
      namings[position]?.index,
      name,
    ]),
  );
  const renamings = changes.flatMap(({ streamId }, index) => {
    const name = chosen.get(index);
    const stream = openStream(tx, streamId);
    return stream && name !== undefined && name !== stream.name ? [{ stream, name }] : [];
  });
  // All streams give up their names before any gets a new one, because two streams may exchange names.
  for (const { stream } of renamings) streams.releaseName(tx, stream.conversation_id);
  for (const { stream, name } of renamings) {
    streams.rename(tx, stream.conversation_id, name);
    log.append(tx, streamUpdated(stream, 'name', name));
  }
  return changes.map(({ streamId }, index) => streamId ?? create(tx, chosen.get(index) ?? '', seconds(clock)));
}

/** Creates a stream without creator. No event is needed, because the stream has no subscribers yet. */
function create(tx: Transaction, name: string, created: number): number {
  return streams.insert(tx, { name, description: '', invite_only: 1, creator_id: null, created }, true);
}

function openStream(tx: Transaction, id: number | undefined): StreamRow | undefined {
  const stream = id === undefined ? undefined : streams.byId(tx, id);
  return stream?.is_archived === 0 ? stream : undefined;
}

function* leave(
  tx: Transaction,
  { log, bindings }: StreamDependencies,
  stream: StreamRow,
  leavers: readonly PersonRow[],
): Steps<void> {
  const { active = [], inactive = [] } = Object.groupBy(leavers, ({ isActive }) => (isActive ? 'active' : 'inactive'));
  yield* unsubscribe(tx, log, bindings, stream, active);
  yield* endPausedMemberships(tx, log, stream, inactive);
}

/** New users have no clients that need events, and nobody sees inactive users. @returns the ids of new active subscribers. */
function* join(tx: Transaction, log: EventLog, stream: StreamRow, joiners: readonly PersonRow[]): Steps<number[]> {
  const streamId = stream.conversation_id;
  const [created, existing] = [joiners.filter(({ isNew }) => isNew), joiners.filter(({ isNew }) => !isNew)];
  const active = existing.filter(({ isActive }) => isActive);
  const subscribed = yield* subscribe(tx, log, stream, active);
  const inactive = yield* othersAmong(
    tx,
    streamId,
    existing.filter(({ isActive }) => !isActive),
  );
  const seen = created.filter(({ isActive }) => isActive);
  publishSightGained(tx, log, streamId, [...inactive, ...created]);
  if (seen.length > 0) log.append(tx, peersChanged(stream, 'peer_add', seen));
  const { newest } = log.bounds(tx);
  const inactiveIds = inactive.map(({ id }) => id);
  yield* beginMemberships(tx, streamId, inactiveIds, newest);
  yield* beginFirstMemberships(tx, streamId, created, newest);
  for (const each of created) each.count += 1;
  return [...subscribed, ...seen].map(({ id }) => id);
}

interface PersonRow extends Viewer {
  readonly isActive: boolean;
  readonly isNew: boolean;
  /** The number of streams that the new user has joined so far. */
  count: number;
}

class People {
  readonly #tx: Transaction;
  readonly #newcomers: ReadonlyMap<string, number>;
  readonly #rows = new Map<Person, PersonRow>();

  constructor(tx: Transaction, newcomers: ReadonlyMap<string, number>) {
    this.#tx = tx;
    this.#newcomers = newcomers;
  }

  *findAll(people: readonly Person[]): Steps<PersonRow[]> {
    const rows: PersonRow[] = [];
    for (const person of people) {
      rows.push(this.#find(person));
      yield;
    }
    return rows;
  }

  #find(person: Person): PersonRow {
    const known = this.#rows.get(person);
    if (known) return known;
    const isNew = typeof person === 'string';
    const id = isNew ? this.#newcomers.get(person.toLowerCase()) : person;
    const user = id === undefined ? undefined : users.byId(this.#tx, id);
    if (!user) throw refused.noSuchUser();
    const row = { ...viewerOf(user), isActive: user.is_active === 1, isNew, count: 0 };
    this.#rows.set(person, row);
    return row;
  }
}
