/*
 * A data folder with a long history. Sending a million messages through the server takes minutes and is measured elsewhere.
 * So the server imports the organisation, and the messages are written directly into its chat.db, with SQLite's indexes. The
 * newest have events in the log, and the returning members have queues from before these events.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChatServer } from '../../packages/chat-server/src/index.ts';
import { seeded, speaker } from './texts.mjs';

export const streamCount = 500;
const password = 'bench-password';
const streamsEach = 10;
const created = 1_700_000_000;

/** `all` and `unreadAll` are in all streams and have read all but the newest messages, or nothing; `few` is in every 25th. */
export const all = 'all@example.com';
export const unreadAll = 'unread@example.com';
export const few = 'few@example.com';
const special = [all, unreadAll, few];
const ordinary = (number) => `member${number}@example.com`;

const unreadCount = 20 * streamCount;
/** Messages in one transaction, so that the log before the database and the memory stay small. */
const batch = 100_000;

export function openChat(directory) {
  return createChatServer({
    directory: join(directory, 'chat'),
    realm: { url: 'http://localhost' },
    rateLimits: 'none',
    log: (event) => console.error(event),
  });
}

/** @param members in addition to the special ones @param behind the newest messages, whose events the queues have not received */
export async function makeFolder({ directory, messages, members = 0, behind = 0 }) {
  await makeOrganisation(directory, members);
  const database = new DatabaseSync(join(directory, 'chat', 'chat.db'));
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN');
  const contentBytes = insertMessages(database, messages, special.length + members);
  insertReadStates(database, messages, behind);
  for (let number = 0; number < members; number += 1) insertKey(database, special.length + number + 1, ordinary(number));
  insertKey(database, 1, all);
  insertKey(database, 2, unreadAll);
  insertKey(database, 3, few);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = sizeOf(database);
  database.exec('BEGIN');
  insertQueues(database, members);
  insertEvents(database, messages, behind);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const withEvents = sizeOf(database);
  database.close();
  return { contentBytes, bytes, eventBytes: withEvents - bytes };
}

const sizeOf = (database) =>
  Number(database.prepare('PRAGMA page_count').get().page_count) * Number(database.prepare('PRAGMA page_size').get().page_size);

export const person = (email, role) => {
  return { email, full_name: email, role, timezone: 'Asia/Tokyo', avatar_url: null, password, date_joined: created };
};

export const privateStream = (name, creator, subscribers) => {
  const kind = { invite_only: true, history_public_to_subscribers: true, created };
  return { name, description: '', creator, subscribers, ...kind };
};

async function makeOrganisation(directory, members) {
  const subscribers = Array.from({ length: streamCount }, (_, index) => [all, unreadAll, ...(index % 25 === 0 ? [few] : [])]);
  for (let number = 0; number < members; number += 1) {
    for (let each = 0; each < streamsEach; each += 1) subscribers[(number * 7 + each * 53) % streamCount].push(ordinary(number));
  }
  const chat = openChat(directory);
  await chat.import({
    name: 'bench',
    description: '',
    users: [
      ...special.map((email) => person(email, email === all ? 100 : 400)),
      ...Array.from({ length: members }, (_, number) => person(ordinary(number), 400)),
    ],
    streams: subscribers.map((own, index) => privateStream(`stream ${index}`, all, own)),
    messages: [],
    unread: [],
  });
  await chat.close();
}

/** Fills the table of the messages of each sender, as the server does (`messages/sentMessages.ts`). */
export const insertSent = `INSERT OR IGNORE INTO sent_message
  SELECT conversation_id, sender_id, id FROM message WHERE id <= (SELECT max(id) / 1000 * 1000 FROM message) ORDER BY 1, 2, 3`;

function insertMessages(database, count, userCount) {
  const ids = database.prepare('SELECT conversation_id AS id FROM stream ORDER BY conversation_id').all();
  const insert = database.prepare(
    `INSERT INTO message (conversation_id, sender_id, topic, topic_key, content, client, timestamp)
     VALUES (?, ?, 'stream events', 'stream events', ?, 'Engawa', ?)`,
  );
  const [say, below] = [speaker(), seeded(2)];
  let bytes = 0;
  for (let number = 0; number < count; number += 1) {
    const content = say();
    bytes += Buffer.byteLength(content);
    insert.run(ids[below(ids.length)].id, 1 + below(userCount), content, created + number);
    if (number % batch === batch - 1) database.exec('COMMIT; BEGIN');
  }
  database.exec(insertSent);
  database.exec(
    'UPDATE stream SET first_message_id = (SELECT MIN(id) FROM message WHERE message.conversation_id = stream.conversation_id)',
  );
  return bytes;
}

const upTo = (newest) => JSON.stringify(newest > 0 ? [[1, newest]] : []);

function insertReadStates(database, messages, behind) {
  const read = database.prepare(
    `INSERT INTO read_block (user_id, conversation_id, began, up_to, ranges)
     SELECT user_id, conversation_id, 0, ${Number.MAX_SAFE_INTEGER}, ? FROM membership WHERE user_id = ? OR (? AND user_id > ?)
     ON CONFLICT (user_id, conversation_id, up_to) DO UPDATE SET ranges = excluded.ranges`,
  );
  read.run(upTo(messages - behind), 3, 1, special.length);
  read.run(upTo(messages - unreadCount), 1, 0, 0);
}

const keyOf = (email) => createHash('sha256').update(email).digest('hex').slice(0, 32);

export const credentialsOf = (email) => `Basic ${Buffer.from(`${email}:${keyOf(email)}`).toString('base64')}`;

export function insertKey(database, userId, email, kind = 'browser') {
  const hash = createHash('sha256').update(keyOf(email)).digest('hex');
  const { value } = database.prepare("UPDATE counter SET value = value + 1 WHERE name = 'api_key' RETURNING value").get();
  const insert = database.prepare('INSERT INTO api_key (id, hash, user_id, kind, created) VALUES (?, ?, ?, ?, ?)');
  insert.run(value, hash, userId, kind, created);
}

const registration = {
  event_types: [
    'message',
    'update_message',
    'delete_message',
    'update_message_flags',
    'reaction',
    'subscription',
    'stream',
    'realm_user',
    'alert_words',
    'user_settings',
    'realm',
    'typing',
    'presence',
    'user_status',
    'directory',
  ],
  fetch_event_types: [
    'message',
    'update_message_flags',
    'recent_private_conversations',
    'realm_user',
    'realm',
    'alert_words',
    'user_settings',
    'presence',
    'user_status',
  ],
  apply_markdown: false,
  client_gravatar: false,
  slim_presence: true,
  client_capabilities: {
    stream_typing_notifications: true,
    simplified_presence_events: true,
    notification_settings_null: true,
    bulk_message_deletion: true,
  },
};

export const registrationForm = new URLSearchParams(
  Object.entries(registration).map(([name, value]) => [name, JSON.stringify(value)]),
).toString();

export const returningMembers = (count) =>
  Array.from({ length: count }, (_, number) => ({ email: ordinary(number), queueId: `queue-of-${number}` }));

function insertQueues(database, members) {
  const { epoch } = database.prepare('SELECT epoch FROM realm').get();
  const newest = lastEventId(database);
  const options = JSON.stringify({
    event_types: registration.event_types,
    apply_markdown: false,
    narrow: [],
    ...registration.client_capabilities,
    slim_presence: true,
  });
  const insert = database.prepare(
    `INSERT INTO queue (id, user_id, key_id, epoch, options, began, lifespan, contacted)
     SELECT ?, user_id, id, ?, ?, ?, 604800, ? FROM api_key WHERE user_id = ?`,
  );
  const now = Math.floor(Date.now() / 1000);
  for (const [number, { queueId }] of returningMembers(members).entries()) {
    insert.run(queueId, epoch, options, newest, now, special.length + number + 1);
  }
}

function insertEvents(database, messages, behind) {
  const before = lastEventId(database);
  database
    .prepare(
      `INSERT INTO event (id, type, reach, reach_id, message_id, payload, created)
       SELECT id - ?1 + ?2, 'message', 'members', conversation_id, id, '{}', ?3 FROM message WHERE id > ?1`,
    )
    .run(messages - behind, before, Math.floor(Date.now() / 1000));
}

function lastEventId(database) {
  return database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'event'").get().seq;
}
