import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as api from '@engawa/protocol';
import { type ChatServer, createChatServer } from '../chatServer.ts';
import { Database, type Value } from '../database/index.ts';
import { migrations } from '../migrations.ts';
import type { Organisation } from '../organisation/importOrganisation.ts';
import { queries } from '../schema.ts';
import { fakeClock, settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { quickPasswordCost } from '../testing/passwordCost.ts';

/** The callers, named by their relation to the secret stream or by their role. */
export const members = ['guest', 'outside', 'left', 'inside', 'moderator', 'administrator', 'owner'] as const;
export type MemberName = (typeof members)[number];
export const invalidCredentials = ['missing', 'malformed', 'stolen', 'revoked', 'deactivated'] as const;
export type InvalidCredential = (typeof invalidCredentials)[number];

/** Texts that only subscribers of the secret stream, participants of the direct conversation, or their author may see. */
export const secrets = {
  name: '極秘計画ハヤブサ',
  description: '説明書きヒグラシ',
  topic: '議題スズムシ',
  earlierTopic: '前の議題マツムシ',
  content: '本文カブトムシ',
  earlierContent: '前の本文クワガタ',
  deletedContent: '消した本文コオロギ',
  direct: '密談ミツバチ',
  word: '気になるアゲハ',
  draft: '書きかけカナブン',
  scheduled: '予約したセミ',
  /** The text that subscribers send while the other members poll. */
  sent: '話したことトンボ',
} as const;
const topic = '雑談';

/** A private stream with every member. */
export const lobby = 'ロビー';
/** A public stream with `writer` as the only subscriber. */
export const board = '掲示板';
/** A key in the storage of the writer. */
export const storageKey = 'count';
/** A custom emoji of the writer. */
export const ownEmoji = 'engawa';
const writer = 'writer';
const everyone = [...members, 'secondOwner', 'revoked', 'deactivated', writer] as const;
type PersonName = (typeof everyone)[number];
const insiders: readonly PersonName[] = ['inside', 'left', 'revoked', 'deactivated', writer];

const rolesOf: Partial<Record<PersonName, Organisation['users'][number]['role']>> = {
  guest: api.roles.guest,
  moderator: api.roles.moderator,
  administrator: api.roles.administrator,
  owner: api.roles.owner,
  secondOwner: api.roles.owner,
};

function stream(name: string, subscribers: readonly PersonName[], isPrivate: boolean): Organisation['streams'][number] {
  return {
    name,
    description: '',
    creator: eg.emailOf(writer),
    subscribers: subscribers.map(eg.emailOf),
    invite_only: isPrivate,
    history_public_to_subscribers: true,
    created: 1,
  };
}

const organisation: Organisation = {
  name: '株式会社縁側',
  description: '',
  editLimits: { content: null, deletion: null, topic: null },
  readReceipts: 'all',
  users: everyone.map((name) => eg.person(name, `${name}さん`, rolesOf[name] ?? api.roles.member)),
  streams: [stream(lobby, everyone, true), stream(board, [writer], false)],
  messages: [{ sender: eg.emailOf(writer), stream: lobby, topic, content: 'はじめまして', timestamp: 1, deleted: false }],
  unread: [],
  emoji: [{ name: ownEmoji, source_url: '/emoji/engawa.png', author: eg.emailOf(writer), deactivated: false }],
};

/** Ids begin at unusual numbers, so that the test can find the id of a secret object in the text of an answer. */
const firstIds = { conversation: 770_000, message: 880_000, draft: 990_000, scheduled: 660_000 } as const;
const insertConversation = queries.run((query, id: Value<number>) =>
  query.insertInto('conversation').values({ id, kind: 'stream', shared_history: 0 }),
);
const moveMessage = queries.run((query, id: Value<number>) => query.updateTable('message').set({ id }));
const insertDraft = queries.run((query, id: Value<number>, userId: Value<number>) =>
  query.insertInto('draft').values({
    id,
    user_id: userId,
    type: '',
    recipients: '[]',
    topic: '',
    content: secrets.draft,
    edited: 1,
    revision: 0,
  }),
);

const insertScheduled = queries.run((query, id: Value<number>, userId: Value<number>) =>
  query.insertInto('scheduled_message').values({
    id,
    user_id: userId,
    type: 'private',
    recipients: '[1]',
    topic: '',
    content: secrets.scheduled,
    client: 'test',
    due: 4_000_000_000,
    failed: 0,
  }),
);

export interface Target {
  readonly stream: number;
  readonly name: string;
  readonly message: number;
  readonly direct: number;
  readonly deleted: number;
  readonly draft: number;
  readonly scheduled: number;
  /** A group of the writer and `inside`. It is no secret, except for guests. */
  readonly group: number;
  readonly queue: string;
  readonly email: string;
  readonly board: string;
}

export const missing: Target = {
  stream: 987_654,
  name: 'どこにもない',
  message: 987_654,
  direct: 987_654,
  deleted: 987_654,
  draft: 987_654,
  scheduled: 987_654,
  group: 987_654,
  queue: '00000000-0000-4000-8000-000000000000',
  email: 'daremo@example.com',
  board: '見あたらない板',
};

/** A member with a message in the lobby and a queue. */
export interface Person {
  readonly id: number;
  readonly email: string;
  readonly key: string;
  readonly message: number;
  readonly queue: { readonly id: string; readonly cursor: number };
}

/** The files that every test server starts from, with their ids and keys. */
export interface ServerTemplate {
  readonly directory: string;
  readonly people: ReadonlyMap<string, Person>;
  readonly secret: Target;
  readonly streams: { readonly lobby: number; readonly board: number };
  /** A bot of `writer` in the lobby and in the secret stream. */
  readonly bot: number;
  close(): void;
}

/** All texts and ids that reveal a secret object. */
export function secretTexts({ stream: streamId, message, direct, deleted, draft, scheduled, queue }: Target): readonly string[] {
  return [...Object.values(secrets), ...[streamId, message, direct, deleted, draft, scheduled].map(String), queue];
}

/** Texts about a stream that administrators who have not joined it may see. */
export function administratorTexts({ stream: streamId }: Target): readonly string[] {
  return [secrets.name, secrets.description, String(streamId)];
}

export interface TestServer {
  readonly secret: Target;
  readonly streams: ServerTemplate['streams'];
  readonly bot: number;
  person(name: string): Person;
  client(name: MemberName | InvalidCredential | typeof writer): eg.Client;
  withKey(email: string, key: string): eg.Client;
  /** All events of a member's queue since the start, as raw text. */
  receivedBy(name: MemberName | typeof writer): Promise<string>;
  close(): Promise<void>;
}

export async function createTemplate(): Promise<ServerTemplate> {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-permissions-'));
  const server = startServer(directory);
  const { users, streams } = await server.import(organisation);
  const database = new Database(join(directory, 'chat.db'), { migrations });
  await database.write((tx) => {
    insertConversation(tx, firstIds.conversation);
    moveMessage(tx, firstIds.message);
    insertDraft(tx, firstIds.draft, found(users.get(eg.emailOf(writer)), writer));
    insertScheduled(tx, firstIds.scheduled, found(users.get(eg.emailOf(writer)), writer));
  });
  database.close();
  const idOf = (ids: ReadonlyMap<string, number>, name: string) => found(ids.get(name), name);
  const userId = (name: PersonName) => idOf(users, eg.emailOf(name));
  const keys = new Map<string, string>();
  for (const name of everyone) {
    const username = eg.emailOf(name);
    keys.set(name, (await eg.visitor(server).ok(api.fetchApiKey, { username, password: eg.password })).api_key);
  }
  const client = (name: PersonName) => eg.withKey(server, eg.emailOf(name), found(keys.get(name), name));

  await client(writer).ok(api.subscribe, {
    subscriptions: [{ name: secrets.name, description: secrets.description }],
    principals: insiders.map(userId),
  });
  const { stream_id: secretStream } = await client(writer).ok(api.getStreamId, { stream: secrets.name });
  const send = async (content: string, to: string, about: string) =>
    (await client(writer).ok(api.sendMessage, { type: 'stream', to, topic: about, content })).id;
  const deleted = await send(secrets.deletedContent, secrets.name, secrets.topic);
  const message = await send(secrets.earlierContent, secrets.name, secrets.earlierTopic);
  await client('left').ok(api.unsubscribe, { subscriptions: [secrets.name] });
  await client(writer).ok(api.deleteMessage, { message_id: deleted });
  await client(writer).ok(api.editMessage, { message_id: message, content: secrets.content });
  await client(writer).ok(api.editMessage, { message_id: message, topic: secrets.topic });
  await client(writer).ok(api.addReaction, { message_id: message, emoji_name: 'heart' });
  await client(writer).ok(api.addAlertWords, { alert_words: [secrets.word] });
  const { id: direct } = await client(writer).ok(api.sendMessage, {
    type: 'direct',
    to: api.addressDirect([userId('inside')]),
    content: secrets.direct,
  });

  await client(writer).ok(api.updateBotStorage, { storage: { [storageKey]: secrets.draft } });
  const { group_id: group = 0 } = await client(writer).ok(api.createUserGroup, {
    name: '同好会',
    description: '',
    members: [userId(writer), userId('inside')],
  });

  const own = new Map<PersonName, number>();
  for (const name of everyone) {
    const sent = { type: 'stream', to: lobby, topic, content: `${name}のひとこと` };
    own.set(name, (await client(name).ok(api.sendMessage, sent)).id);
  }
  const { user_id: bot } = await client(writer).ok(api.createBot, { full_name: '書記', short_name: 'shoki' });
  await client(writer).ok(api.subscribe, { subscriptions: [{ name: lobby }, { name: secrets.name }], principals: [bot] });
  await client('revoked').ok(api.regenerateApiKey, {});
  await client('owner').ok(api.deactivateUser, { user_id: userId('deactivated') });
  // Queues are registered last, so that they start without events.
  const people = new Map<string, Person>();
  for (const name of everyone) {
    const canSignIn = name !== 'revoked' && name !== 'deactivated';
    const queue = canSignIn ? await queueOf(client(name)) : { id: 'none', cursor: 0 };
    const message = found(own.get(name), name);
    people.set(name, { id: userId(name), email: eg.emailOf(name), key: found(keys.get(name), name), message, queue });
  }
  await server.close();
  return {
    directory,
    people,
    secret: {
      stream: secretStream,
      name: secrets.name,
      message,
      direct,
      deleted,
      draft: firstIds.draft,
      scheduled: firstIds.scheduled,
      group,
      queue: found(people.get(writer), writer).queue.id,
      email: eg.emailOf(writer),
      board,
    },
    streams: { lobby: idOf(streams, lobby), board: idOf(streams, board) },
    bot,
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function queueOf(client: eg.Client): Promise<Person['queue']> {
  const { queue_id, last_event_id } = await client.ok(api.registerQueue, {
    client_capabilities: { bulk_message_deletion: true, stream_typing_notifications: true },
    fetch_event_types: [],
  });
  return { id: queue_id, cursor: last_event_id };
}

export function serverFrom({ directory: original, people, secret, streams, bot }: ServerTemplate): TestServer {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-permissions-'));
  cpSync(original, directory, { recursive: true });
  const reports: unknown[] = [];
  const server = startServer(directory, (event) => void reports.push(event));
  const person = (name: string) => found(people.get(name), name);
  const credentials: Record<InvalidCredential, Readonly<Record<string, string>>> = {
    missing: {},
    malformed: { authorization: 'Basic ????' },
    stolen: { authorization: eg.basic(person('outside').email, person('inside').key) },
    revoked: { authorization: eg.basic(person('revoked').email, person('revoked').key) },
    deactivated: { authorization: eg.basic(person('deactivated').email, person('deactivated').key) },
  };
  return {
    secret,
    streams,
    bot,
    person,
    client(name) {
      if (isInvalidCredential(name)) return eg.client(server, credentials[name]);
      return eg.withKey(server, person(name).email, person(name).key);
    },
    withKey: (email, key) => eg.withKey(server, email, key),
    async receivedBy(name) {
      const { email, key, queue } = person(name);
      const query = { queue_id: queue.id, last_event_id: String(queue.cursor), dont_block: 'true' };
      const { text } = await eg.withKey(server, email, key).raw({ path: '/events', query });
      return text;
    },
    async close() {
      await settled();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
      const [unexpected] = reports;
      if (unexpected) throw new Error('the server reported an unexpected event', { cause: unexpected });
    },
  };
}

function startServer(directory: string, log: (event: unknown) => void = () => undefined): ChatServer {
  return createChatServer({
    directory,
    realm: eg.realm,
    clock: fakeClock(),
    rateLimits: 'none',
    passwordCost: quickPasswordCost,
    log,
  });
}

const isInvalidCredential = (name: string): name is InvalidCredential => invalidCredentials.some((each) => each === name);

function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new TypeError(`there is no ${name}`);
  return value;
}
