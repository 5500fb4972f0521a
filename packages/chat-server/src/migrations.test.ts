import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { Database } from './database/index.ts';
import { EventLog } from './events/log.ts';
import { migrations } from './migrations.ts';
import { sentMessages } from './messages/sentMessages.ts';
import { messages } from './messages/store.ts';
import { readStates } from './reading/store.ts';
import { settings } from './settings/store.ts';
import { fakeClock } from './testing/clock.ts';

/** A database file with the first migrations only, filled by further SQL. */
function oldFile(steps: number, ...filledBy: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-migrations-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'chat.db');
  const connection = new DatabaseSync(path);
  for (const step of [...migrations.slice(0, steps), ...filledBy]) connection.exec(step);
  connection.exec(`PRAGMA user_version = ${steps}`);
  connection.close();
  return path;
}

const person = (id: number, sends: number) =>
  `INSERT INTO user (id, email, full_name, password, role, is_bot, timezone, date_joined, send_read_receipts)
   VALUES (${id}, '${id}@example.com', '社員 ${id}', '', 400, 0, '', 1, ${sends})`;
/** Without the setting that a later migration moves. */
const member = `INSERT INTO user (id, email, full_name, password, role, timezone, date_joined)
  VALUES (1, '1@example.com', '社員', '', 400, '', 1)`;
const insertEvent = (id: number, payload: unknown) =>
  `INSERT INTO event (id, type, reach, payload, created) VALUES (${id}, 'realm_user', 'everyone', '${JSON.stringify(payload)}', 1)`;

it('The database migration of settings keeps whether each user sends read receipts', () => {
  const database = new Database(oldFile(6, person(1, 0), person(2, 1)), { migrations });
  const sends = [1, 2].map((id) => settings.get(database.reader, id, 'send_read_receipts'));
  database.close();
  expect(sends).toEqual([false, true]);
});

it('[R2.25.3] A database migration removes the picture URLs from all stored events', () => {
  const picture = { user_id: 1, avatar_url: '/avatars/avatar-3.svg', avatar_source: 'U', avatar_version: 2 };
  const none = { user_id: 1, avatar_url: null, avatar_source: 'G', avatar_version: 3 };
  const named = { op: 'update', person: { user_id: 1, full_name: '鈴木 改名' } };
  const events = [{ op: 'update', person: picture }, { op: 'update', person: none }, named];
  const path = oldFile(6, person(1, 1), ...events.map((event, index) => insertEvent(index + 1, event)));
  new Database(path, { migrations }).close();
  const connection = new DatabaseSync(path);
  const payloads = connection.prepare('SELECT payload FROM event ORDER BY id').all();
  connection.close();
  const migrated = { op: 'picture', userId: 1 };
  expect(payloads.map(({ payload }) => JSON.parse(String(payload)))).toEqual([migrated, migrated, named]);
});

it('The database migration of read ranges joins the long list and the list of recent ones, also where they touch', () => {
  const ranges = (...lists: readonly (string | undefined)[]) =>
    lists.flatMap((list, index) => {
      const table = index === 0 ? 'read_state' : 'read_recently';
      return list === undefined ? [] : [`INSERT INTO ${table} VALUES (1, ${place}, '${list}')`];
    });
  let place = 0;
  const cases = [
    ['[]', undefined, []],
    ['[[1,4]]', undefined, [[1, 4]]],
    [
      '[[1,4],[6,9]]',
      '[[12,12],[14,15]]',
      [
        [1, 4],
        [6, 9],
        [12, 12],
        [14, 15],
      ],
    ],
    [
      '[[1,4],[6,9]]',
      '[[10,12],[14,15]]',
      [
        [1, 4],
        [6, 12],
        [14, 15],
      ],
    ],
    [
      '[[1,4],[6,9]]',
      '[[7,8]]',
      [
        [1, 4],
        [6, 9],
      ],
    ],
  ] as const;
  const filling = cases.flatMap(([earlier, recent]) => {
    place += 1;
    const conversation = `INSERT INTO conversation (id, kind, shared_history) VALUES (${place}, 'direct', 1)`;
    return [conversation, ...ranges(earlier, recent)];
  });
  const database = new Database(oldFile(18, member, ...filling), { migrations });
  const migrated = cases.map((_, index) => readStates.ranges(database.reader, 1, index + 1));
  const inRanges = readStates.rangesOf(database.reader, 4, [1]);
  expect([9, 12, 13, 15].map((id) => inRanges(1, id, id))).toEqual([true, true, false, true]);
  database.close();
  expect(migrated).toEqual(cases.map(([, , expected]) => expected));
});

it('[R4.8.2] The database migration of client ids keeps which message a member sent with which id', () => {
  const path = oldFile(
    31,
    member,
    "INSERT INTO conversation (id, kind, shared_history) VALUES (1, 'direct', 1)",
    `INSERT INTO message (id, conversation_id, sender_id, topic, topic_key, content, client, timestamp, features)
     VALUES (7, 1, 1, '', '', '一度だけ', 'website', 1, 0)`,
    "INSERT INTO client_message (sender_id, client_message_id, message_id, sent) VALUES (1, 'a', 7, 1)",
  );
  const database = new Database(path, { migrations });
  const found = [1, 2].map((sender) => messages.byClientId(database.reader, sender, 'a'));
  database.close();
  expect(found).toEqual([7, undefined]);
});

const senderOf = (id: number) => (id % 7 === 0 ? 2 : 1);

it('The messages of a sender are complete and in order after the database migration and after thousands of further messages', async () => {
  const path = oldFile(
    32,
    member,
    member.replace("(1, '1@", "(2, '2@"),
    "INSERT INTO conversation (id, kind, shared_history) VALUES (1, 'direct', 1), (2, 'direct', 1)",
    `WITH RECURSIVE number (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM number WHERE id < 1300)
     INSERT INTO message (id, conversation_id, sender_id, topic, topic_key, content, client, timestamp, features)
     SELECT id, 1 + id % 3 / 2, iif(id % 7, 1, 2), '', '', '本文', 'website', 1, 0 FROM number`,
  );
  const database = new Database(path, { migrations });
  onTestFinished(() => database.close());
  const text = { topic: '', content: '本文', client: 'website', timestamp: 1, features: 0, read_by_sender: 0, notice: null };
  await database.write((tx) => {
    for (let id = 1301; id <= 3456; id += 1) {
      messages.insert(tx, { ...text, conversation_id: 1 + Math.floor((id % 3) / 2), sender_id: senderOf(id) });
    }
  });
  const all = Array.from({ length: 3456 }, (_, index) => index + 1).filter((id) => id % 3 !== 2);
  for (const senderId of [1, 2]) {
    for (const span of [
      { after: 0, upTo: 9999 },
      { after: 995, upTo: 1305 },
      { after: 2990, upTo: 3010 },
      { after: 3100, upTo: 3200 },
    ]) {
      const expected = all.filter((id) => senderOf(id) === senderId && id > span.after && id <= span.upTo);
      const sent = { conversationId: 1, senderId };
      expect(sentMessages.idsIn(database.reader, sent, span, 'up', 5000)).toEqual(expected);
      expect(sentMessages.idsIn(database.reader, sent, span, 'down', 20)).toEqual(expected.toReversed().slice(0, 20));
    }
  }
});

it.each([
  ['keeps all events', [1, 2, 3], 3],
  ['does not use the ids of deleted events again, although the newest was deleted', [1, 2], 5],
  ['does not use them again if all events were deleted', [], 5],
])('The database migration of event ids %s', async (_, stored, last) => {
  const inserted = stored.map((id) => insertEvent(id, { id }));
  const database = new Database(oldFile(33, ...inserted, `UPDATE counter SET value = ${last} WHERE name = 'event'`), {
    migrations,
  });
  onTestFinished(() => database.close());
  const log = new EventLog(fakeClock());
  expect(log.bounds(database.reader)).toMatchObject({ newest: last, pruned: 0 });
  const id = await database.write((tx) => log.append(tx, { type: 'realm', reach: 'everyone', payload: {} }));
  expect(id).toBe(last + 1);
  expect(log.after(database.reader, 0, 9).map((event) => event.id)).toEqual([...stored, last + 1]);
});
