// A data folder with an organisation of thousands and an API key for each member.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { credentialsOf, insertKey, openChat, person, privateStream } from '../history/dataFolder.mjs';

/**
 * Creates for each audience size a stream with that many subscribers. @param teamSize divides all members into teams, each with a
 * stream
 */
export async function makeOrganisation(dataDirectory, { memberCount, audiences, teamSize }) {
  const chat = openChat(dataDirectory);
  const emails = Array.from({ length: memberCount }, (_, index) => `member${index + 1}@bench.example`);
  const teams = teamSize ? Array.from({ length: memberCount / teamSize }, (_, index) => index) : [];
  const teamStreams = teams.map((team) => {
    const own = emails.slice(team * teamSize, (team + 1) * teamSize);
    return privateStream(`team ${team}`, own[0], own);
  });
  const { streams } = await chat.import({
    name: 'bench',
    description: '',
    users: emails.map((email, index) => ({ ...person(email, index === 0 ? 100 : 400), full_name: `山田 太郎 ${index + 1}` })),
    streams: [
      ...audiences.map((audience) => privateStream(nameOf(audience), emails[0], emails.slice(0, audience))),
      ...teamStreams,
    ],
    messages: [],
    unread: [],
  });
  await chat.close();
  return {
    members: insertKeys(join(dataDirectory, 'chat', 'chat.db'), emails),
    teams: teams.map((team) => streams.get(`team ${team}`)),
    streams: new Map(audiences.map((audience) => [audience, streams.get(nameOf(audience))])),
  };
}

const nameOf = (audience) => `stream of ${audience}`;

/** Writes the rows directly, because 10,000 sign-ins by password would take minutes. */
function insertKeys(file, emails) {
  const database = new DatabaseSync(file);
  const idOf = database.prepare('SELECT id FROM user WHERE email = ?');
  database.exec('BEGIN');
  for (const email of emails) insertKey(database, idOf.get(email).id, email, 'program');
  database.exec('COMMIT');
  database.close();
  return emails.map((email) => ({ email, authorization: credentialsOf(email) }));
}
