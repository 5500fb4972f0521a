import { randomUUID } from 'node:crypto';
import { ownClient } from '@engawa/markup';
import { type BotCreation, type ReadReceiptsShown, type Role, defaultEditLimits } from '@engawa/protocol';
import { directConversation } from '../conversations/direct.ts';
import { beginMemberships } from '../streams/subscribe.ts';
import { conversations } from '../conversations/store.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { erase } from '../messages/delete.ts';
import { messages } from '../messages/store.ts';
import { type Destination, send } from '../messages/send.ts';
import { AlertWordIndex } from '../reading/alertWords.ts';
import { ownedRange } from '../reading/flags.ts';
import { remove } from '../reading/ranges.ts';
import { readStates } from '../reading/store.ts';
import { atOnce } from '../turns.ts';
import { noGroups } from '../identity/groups.ts';
import type { Passwords } from '../accounts/password.ts';
import { users } from '../identity/store.ts';
import { linkifiers, realmEmoji, realms } from '../realm/store.ts';
import { streams } from '../conversations/streams.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

interface RealmDescription {
  readonly name: string;
  readonly description: string;
  /** Seconds after sending in which a message can be changed. Null: always. */
  readonly editLimits?: Readonly<Record<keyof typeof defaultEditLimits, number | null>>;
  readonly readReceipts?: ReadReceiptsShown;
  /** Default: `everyone`. */
  readonly botCreation?: BotCreation;
}

/** Times are unix seconds; members are named by email. */
export interface Organisation extends RealmDescription {
  readonly emoji?: readonly {
    readonly name: string;
    readonly source_url: string;
    readonly author: string;
    readonly deactivated: boolean;
  }[];
  readonly linkifiers?: readonly { readonly pattern: string; readonly url_template: string }[];
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
  /** The newest `count` messages by others are unread for a member. All other messages are read. */
  readonly unread: readonly { readonly email: string; readonly stream: string; readonly count: number }[];
  readonly directs?: readonly {
    readonly participants: readonly string[];
    /** The oldest first. */
    readonly messages: readonly { readonly sender: string; readonly content: string; readonly timestamp: number }[];
    readonly unread: readonly { readonly email: string; readonly count: number }[];
  }[];
}

export interface ImportedOrganisation {
  readonly users: ReadonlyMap<string, number>;
  readonly streams: ReadonlyMap<string, number>;
  /** The ids of the messages, in the order of the import. */
  readonly messages: readonly number[];
}

export class NotEmptyError extends Error {
  override readonly name = 'NotEmptyError';
}

export async function importOrganisation(
  database: Database,
  log: EventLog,
  passwords: Passwords,
  organisation: Organisation,
): Promise<ImportedOrganisation> {
  // Each different password is hashed once: hashing is slow, and all users of a demo have the same password.
  const hashes = new Map<string, string>();
  for (const { password } of organisation.users) {
    if (!hashes.has(password)) hashes.set(password, await passwords.hash(password));
  }
  return database.write((tx) => {
    requireEmpty(tx);
    insertRealm(tx, organisation, Math.min(...organisation.users.map(({ date_joined }) => date_joined)));
    const userIds = insertUsers(tx, organisation, hashes);
    insertEmoji(tx, organisation, userIds);
    for (const linkifier of organisation.linkifiers ?? []) linkifiers.insert(tx, linkifier);
    const streamIds = insertStreams(tx, log, organisation, userIds);
    const messageIds = insertMessages(tx, log, organisation, userIds, streamIds);
    markRead(tx, organisation, userIds, streamIds);
    return { users: userIds, streams: streamIds, messages: messageIds };
  });
}

export function requireEmpty(tx: Transaction): void {
  if (realms.get(tx)) throw new NotEmptyError('there is an organisation already');
}

export function insertRealm(
  tx: Transaction,
  { name, description, editLimits = defaultEditLimits, readReceipts = 'own', botCreation = 'everyone' }: RealmDescription,
  created: number,
): void {
  const { content, deletion, topic } = editLimits;
  const limits = { content_edit_limit: content, deletion_limit: deletion, topic_edit_limit: topic };
  realms.insert(tx, {
    name,
    description,
    epoch: randomUUID(),
    created,
    ...limits,
    read_receipts: readReceipts,
    bot_creation: botCreation,
  });
}

function insertUsers(tx: Transaction, organisation: Organisation, hashes: ReadonlyMap<string, string>) {
  return new Map(
    organisation.users.map(({ password, ...user }) => [
      user.email,
      users.insert(tx, { ...user, is_bot: 0, password: valueOf(hashes, password) }),
    ]),
  );
}

function insertEmoji(tx: Transaction, { emoji = [] }: Organisation, userIds: ReadonlyMap<string, number>): void {
  for (const { author, deactivated, ...each } of emoji) {
    realmEmoji.insert(tx, { ...each, author_id: valueOf(userIds, author), deactivated: deactivated ? 1 : 0 });
  }
}

function insertStreams(
  tx: Transaction,
  log: EventLog,
  organisation: Organisation,
  userIds: ReadonlyMap<string, number>,
): Map<string, number> {
  return new Map(
    organisation.streams.map(
      ({ name, description, creator, subscribers, invite_only, history_public_to_subscribers, created }) => {
        const id = streams.insert(
          tx,
          { name, description, invite_only: invite_only ? 1 : 0, creator_id: valueOf(userIds, creator), created },
          history_public_to_subscribers,
        );
        // There are no queues yet, so no events are needed.
        const subscriberIds = subscribers.map((email) => valueOf(userIds, email));
        atOnce(beginMemberships(tx, id, subscriberIds, log.bounds(tx).newest));
        return [name, id];
      },
    ),
  );
}

function insertMessages(
  tx: Transaction,
  log: EventLog,
  organisation: Organisation,
  userIds: ReadonlyMap<string, number>,
  streamIds: ReadonlyMap<string, number>,
): number[] {
  // There are no alert words and groups yet.
  const dependencies = { log, alertWordIndex: new AlertWordIndex(tx), groups: noGroups };
  const sendAt = (sender: string, to: Destination, content: string, timestamp: number) => {
    return send(tx, dependencies, { id: valueOf(userIds, sender) }, to, { content, read_by_sender: true }, ownClient, timestamp);
  };
  const directMessages = (organisation.directs ?? [])
    .flatMap(({ participants, messages }) => messages.map((message) => ({ participants, ...message })))
    .toSorted((one, other) => other.timestamp - one.timestamp);
  // Message ids must rise with time, so direct messages are sent between the messages of streams.
  const sendDirect = (before: number) => {
    for (let next = directMessages.at(-1); next && next.timestamp < before; next = directMessages.at(-1)) {
      directMessages.pop();
      const conversationId = directConversation(tx, log, idsOf(userIds, next.participants));
      sendAt(next.sender, { conversationId, topic: '' }, next.content, next.timestamp);
    }
  };

  const ids = organisation.messages.map(({ sender, stream: name, topic, content, timestamp, deleted }) => {
    sendDirect(timestamp);
    const id = sendAt(sender, { conversationId: valueOf(streamIds, name), topic }, content, timestamp);
    if (deleted) erase(tx, id, timestamp);
    return id;
  });
  sendDirect(Infinity);
  return ids;
}

function markRead(
  tx: Transaction,
  organisation: Organisation,
  userIds: ReadonlyMap<string, number>,
  streamIds: ReadonlyMap<string, number>,
): void {
  const markAllButNewest = (conversationId: number, userId: number, count: number) => {
    const newest = messageHeaders.newestId(tx, conversationId);
    const left = newestByOthers(tx, conversationId, userId, count);
    if (newest === 0) return;
    readStates.change(tx, userId, conversationId, [[1, newest]], (_, everything) =>
      left.reduce((read, id) => remove(read, ownedRange(tx, conversationId, id)), everything),
    );
  };
  for (const { name, subscribers } of organisation.streams) {
    for (const email of subscribers) {
      const count = organisation.unread.find((each) => each.email === email && each.stream === name)?.count ?? 0;
      markAllButNewest(valueOf(streamIds, name), valueOf(userIds, email), count);
    }
  }
  for (const { participants, unread } of organisation.directs ?? []) {
    const conversationId = conversations.directOf(tx, idsOf(userIds, participants));
    if (conversationId === undefined) continue;
    for (const email of participants) {
      const count = unread.find((each) => each.email === email)?.count ?? 0;
      markAllButNewest(conversationId, valueOf(userIds, email), count);
    }
  }
}

function idsOf(userIds: ReadonlyMap<string, number>, emails: readonly string[]): number[] {
  return emails.map((email) => valueOf(userIds, email)).toSorted((one, other) => one - other);
}

function newestByOthers(tx: Transaction, conversationId: number, userId: number, count: number): number[] {
  if (count === 0) return [];
  return messageHeaders
    .idsDown(tx, conversationId, { after: 0, upTo: Number.MAX_SAFE_INTEGER })
    .filter((id) => messages.withSender(tx, id)?.sender_id !== userId)
    .take(count)
    .toArray();
}

function valueOf<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new TypeError(`the organisation names ${name}, which it does not have`);
  return value;
}
