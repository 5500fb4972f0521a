// A data folder with an organisation of thousands and an API key for each member.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChatServer } from '../../packages/chat-server/src/index.ts';

const created = 1_700_000_000;

/**
 * Creates `memberCount` members, and for each audience size a stream with that many subscribers.
 * @returns {Promise<{ members: { email: string, authorization: string }[], streams: Map<number, number> }>} stream ids by
 * audience size
 */
export async function makeOrganisation(dataDirectory, { memberCount, audiences }) {
  const directory = join(dataDirectory, 'chat');
  mkdirSync(directory, { recursive: true });
  const chat = createChatServer({ directory, realm: { url: 'http://localhost' } });
  const emails = Array.from({ length: memberCount }, (_, index) => `member${index + 1}@bench.example`);
  const { streams } = await chat.import({
    name: 'bench',
    description: '',
    users: emails.map((email, index) => ({
      email,
      full_name: `山田 太郎 ${index + 1}`,
      role: index === 0 ? 100 : 400,
      timezone: 'Asia/Tokyo',
      avatar_url: null,
      password: 'bench-password',
      date_joined: created,
    })),
    streams: audiences.map((audience) => ({
      name: nameOf(audience),
      description: '',
      creator: emails[0],
      subscribers: emails.slice(0, audience),
      invite_only: true,
      history_public_to_subscribers: true,
      created,
    })),
    messages: [],
    unread: [],
  });
  await chat.close();
  return {
    members: insertKeys(join(directory, 'chat.db'), emails),
    streams: new Map(audiences.map((audience) => [audience, streams.get(nameOf(audience))])),
  };
}

const nameOf = (audience) => `stream of ${audience}`;

/** Writes the rows directly, because 10,000 sign-ins by password would take minutes. */
function insertKeys(file, emails) {
  const database = new DatabaseSync(file);
  const insert = database.prepare(
    `INSERT INTO api_key (id, hash, user_id, kind, created)
     SELECT ?, ?, id, 'program', ${created} FROM user WHERE email = ?`,
  );
  database.exec('BEGIN');
  const members = emails.map((email, index) => {
    const key = createHash('sha256').update(email).digest('hex').slice(0, 32);
    insert.run(index + 1, createHash('sha256').update(key).digest('hex'), email);
    return { email, authorization: `Basic ${btoa(`${email}:${key}`)}` };
  });
  database.prepare("UPDATE counter SET value = ? WHERE name = 'api_key'").run(emails.length);
  database.exec('COMMIT');
  database.close();
  return members;
}
