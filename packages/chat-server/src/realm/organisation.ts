import { randomUUID } from 'node:crypto';
import type { Role } from '@engawa/protocol';
import { subscribe } from '../conversations/subscribe.ts';
import { conversations } from '../conversations/store.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { messages } from '../messages/store.ts';
import { send } from '../messages/send.ts';
import { ownedRange } from '../reading/flags.ts';
import { type ReadRanges, remove } from '../reading/ranges.ts';
import { readStates } from '../reading/store.ts';
import { hashPassword } from '../users/password.ts';
import { users } from '../users/store.ts';
import { realms } from './store.ts';

/** A whole organisation, as it is brought into an empty chat server. Times are unix seconds. */
export interface Organisation {
  readonly name: string;
  readonly description: string;
  readonly users: readonly {
    readonly email: string;
    readonly full_name: string;
    readonly role: Role;
    readonly timezone: string;
    readonly avatar_url: string | null;
    readonly password: string;
    readonly date_joined: number;
  }[];
  readonly streams: readonly {
    readonly name: string;
    readonly description: string;
    readonly creator: string;
    /** Emails. */
    readonly subscribers: readonly string[];
    readonly invite_only: boolean;
    readonly history_public_to_subscribers: boolean;
    readonly created: number;
  }[];
  /** The oldest first. */
  readonly messages: readonly {
    readonly sender: string;
    readonly stream: string;
    readonly topic: string;
    readonly content: string;
    readonly timestamp: number;
    readonly deleted: boolean;
  }[];
  /** The newest `count` messages by others that a member has not read; all else is read. */
  readonly unread: readonly { readonly email: string; readonly stream: string; readonly count: number }[];
}

/** The numbers that were given. */
export interface ImportedOrganisation {
  readonly users: ReadonlyMap<string, number>;
  readonly streams: ReadonlyMap<string, number>;
  /** In the order of the messages. */
  readonly messages: readonly number[];
}

/** There is an organisation already. */
export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError';
}

/** Brings an organisation in, whole or not at all. */
export async function importOrganisation(
  database: Database,
  log: EventLog,
  organisation: Organisation,
): Promise<ImportedOrganisation> {
  const passwords = await hashEach(organisation.users.map(({ password }) => password));
  return database.write((tx) => {
    if (realms.get(tx)) throw new NotEmptyError('an organisation is there already');
    const created = Math.min(...organisation.users.map(({ date_joined }) => date_joined));
    realms.insert(tx, { name: organisation.name, description: organisation.description, epoch: randomUUID(), created });
    const userIds = insertUsers(tx, organisation, passwords);
    const streamIds = insertStreams(tx, log, organisation, userIds);
    const messageIds = insertMessages(tx, log, organisation, userIds, streamIds);
    markRead(tx, organisation, userIds, streamIds);
    return { users: userIds, streams: streamIds, messages: messageIds };
  });
}

/** Equal passwords are hashed once: a demo organisation has one for all. */
async function hashEach(passwords: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const password of new Set(passwords)) hashes.set(password, await hashPassword(password));
  return hashes;
}

function insertUsers(tx: Transaction, organisation: Organisation, passwords: ReadonlyMap<string, string>) {
  return new Map(
    organisation.users.map(({ password, ...user }) => [
      user.email,
      users.insert(tx, { ...user, is_bot: 0, password: found(passwords, password) }),
    ]),
  );
}

function insertStreams(
  tx: Transaction,
  log: EventLog,
  { streams }: Organisation,
  userIds: ReadonlyMap<string, number>,
): Map<string, number> {
  return new Map(
    streams.map(({ name, description, creator, subscribers, invite_only, history_public_to_subscribers, created }) => {
      const id = conversations.insertStream(
        tx,
        { name, description, invite_only: invite_only ? 1 : 0, creator_id: found(userIds, creator), created },
        history_public_to_subscribers,
      );
      subscribe(tx, log, id, subscribers.map((email) => found(userIds, email)));
      return [name, id];
    }),
  );
}

function insertMessages(
  tx: Transaction,
  log: EventLog,
  organisation: Organisation,
  userIds: ReadonlyMap<string, number>,
  streamIds: ReadonlyMap<string, number>,
): number[] {
  return organisation.messages.map(({ sender, stream: name, topic, content, timestamp, deleted }) => {
    const stream = conversations.stream(tx, found(streamIds, name));
    if (!stream) throw new TypeError(`no stream ${name}`);
    const from = { id: found(userIds, sender) };
    const id = send(tx, log, from, { stream, topic }, { content, read_by_sender: true }, 'website', timestamp);
    if (deleted) messages.blank(tx, id, timestamp);
    return id;
  });
}

function markRead(
  tx: Transaction,
  organisation: Organisation,
  userIds: ReadonlyMap<string, number>,
  streamIds: ReadonlyMap<string, number>,
): void {
  for (const { name, subscribers } of organisation.streams) {
    const conversationId = found(streamIds, name);
    const newest = messages.newestId(tx, conversationId);
    for (const email of subscribers) {
      const userId = found(userIds, email);
      const count = organisation.unread.find((each) => each.email === email && each.stream === name)?.count ?? 0;
      const left = newestByOthers(tx, conversationId, userId, count);
      const everything: ReadRanges = newest === 0 ? [] : [[1, newest]];
      const ranges = left.reduce((read, id) => remove(read, ownedRange(tx, conversationId, id)), everything);
      readStates.put(tx, userId, conversationId, ranges);
    }
  }
}

function newestByOthers(tx: Transaction, conversationId: number, userId: number, count: number): number[] {
  if (count === 0) return [];
  const filter = { conversation_id: conversationId, after: 0, up_to: Number.MAX_SAFE_INTEGER };
  return messages
    .idsDown(tx, { ...filter, topic_key: null, sender_id: null, include_deleted: 0 })
    .filter((id) => messages.withSender(tx, id)?.sender_id !== userId)
    .take(count)
    .toArray();
}

function found<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new TypeError(`the organisation names ${name}, which it does not have`);
  return value;
}
